/* A state machine over unknown characters. */
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char text[7];
    int state = 0, words = 0;
    for (int i = 0; i < 6; i++)
        text[i] = __VERIFIER_nondet_char();
    text[6] = 0;
    for (char *p = text; *p; p++) {
        int is_letter = (*p >= 'a' && *p <= 'z') || *p == '_';
        if (is_letter && state == 0)
            words++;
        state = is_letter;
    }
    return words;
}
