// loupe: run --entry get --input 9 => error index-out-of-bounds 7:12
static struct {
    int used, values[8];
} table;

int get(unsigned char index) {
    return table.values[index];
}
