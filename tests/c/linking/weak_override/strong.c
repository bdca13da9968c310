int choice(void) { return 22; }
int level(void) { return choice() * 2; }
