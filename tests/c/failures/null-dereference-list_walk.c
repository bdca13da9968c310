// fails: null-dereference 9
// gcc: null pointer
struct node { char pad[8]; int value; struct node *next; };

int main(void) {
    struct node c = {"", 3, 0}, b = {"", 2, &c}, a = {"", 1, &b};
    int sum = 0;
    for (struct node *n = &a; sum < 7; n = n->next)
        sum += n->value;
    return sum;
}
