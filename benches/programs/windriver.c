/* A part of a driver that takes a stream of packets apart, after the description of WinDriver in Strejček and Trtík, "Abstracting Path
   Conditions", section 6. The stream says itself at which place of a two-dimensional array the data of a packet go; the check behind the loop
   holds for every stream that somebody honest has written, and not for all. */
#include <assert.h>
#include <stdlib.h>

int rows, columns;

static int **decode(const int *stream, int length)
{
    int **packets = malloc(rows * sizeof(int *));
    for (int i = 0; i < rows; i++) {
        packets[i] = malloc(columns * sizeof(int));
        for (int j = 0; j < columns; j++)
            packets[i][j] = 0;
    }
    int position = 0, count = stream[position++];
    if (count < 0 || count > rows || length < 1 + count * (columns + 1))
        return 0;
    for (int i = 0; i < count; i++) {
        int number = stream[position++];
        if (number < 0 || number >= rows)
            return 0;
        for (int j = 0; j < columns; j++)
            packets[number][j] = stream[position++];
    }
    /* Packets are numbered from 0, so nothing can be in the row behind the last. */
    if (count < rows)
        assert(packets[count][0] == 0);
    return packets;
}

int main(void)
{
    int length, r, c;
    if (length > 0 && r > 0 && c > 0 && r < 1000 && c < 1000) {
        rows = r;
        columns = c;
        int *stream = malloc(length * sizeof(int));
        decode(stream, length);
    }
    return 0;
}
