// fails: null-dereference 8
// gcc: null pointer
struct node { int value; struct node *next; };

int main(void) {
    struct node b = {2, 0}, a = {1, &b};
    int sum = a.next->value;
    return sum + a.next->next->value;
}
