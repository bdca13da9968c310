// fails: invalid-access 7
// gcc: SEGV
int main(void) {
    char own[] = "text";
    own[0] = 'T';
    char *s = "text";
    s[0] = own[0];
    return 0;
}
