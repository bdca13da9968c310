// A binary tree.
#include <stdio.h>

struct tree { int key; struct tree *left, *right; };

static struct tree pool[20];
static int used;

static void insert(struct tree **t, int key) {
    while (*t)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    pool[used].key = key;
    *t = &pool[used++];
}

static int walk(const struct tree *t, int depth) {
    if (!t)
        return 0;
    int sum = walk(t->left, depth + 1);
    printf("%d:%d ", t->key, depth);
    return sum + t->key * depth + walk(t->right, depth + 1);
}

int main(void) {
    struct tree *root = 0;
    int keys[] = {50, 30, 70, 20, 40, 60, 80, 30, 45};
    for (int i = 0; i < 9; i++)
        insert(&root, keys[i]);
    int r = walk(root, 1);
    printf("\n%d\n", r);
    return r & 127;
}
