//! What expressions and statements become.

use expect_test::{Expect, expect};

use super::{accept, accept_with, dump};
use crate::front::{DataModel, Options};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&dump::unit(&accept(text).unit));
}

/// The body of `main`, one statement a line, behind these declarations.
fn check_body(declarations: &str, body: &str, expected: Expect) {
    let text = format!("{declarations}\nint main(void) {{\n{body}\n}}\n");
    expected.assert_eq(&main_of(&accept(&text).unit));
}

fn main_of(unit: &crate::tree::Unit) -> String {
    let text = dump::unit(unit);
    let (_, main) = text.split_once("main(").unwrap();
    let lines = main.lines().skip(2).map(|line| line.strip_prefix("    ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn conversions_are_explicit() {
    check_body(
        "char c; short s; unsigned u; long l; float f; double d; _Bool b; int *p; const char *q;",
        "c + s; u + l; c = l; f * 2; d = f; b = p; b = d; l = u; q = 0; p = (int *)l; (void)u; (int)u;\
         c << l; -c; ~s; !p; +c; b + b; u > c; p == 0; q = \"ab\"; l = (long)p;",
        expect![[r#"
            ((int)[c] + (int)[s])
            ((long)[u] + [l])
            (c = (char)[l])
            ([f] * (float)2)
            (d = (double)[f])
            (b = (_Bool)[p])
            (b = (_Bool)[d])
            (l = (long)[u])
            (q = (char *)0)
            (p = (int *)[l])
            (void)[u]
            (int)[u]
            ((int)[c] << [l])
            -(int)[c]
            ~(int)[s]
            ![p]
            (int)[c]
            ((int)[b] + (int)[b])
            ([u] > (unsigned int)[c])
            ([p] == (int *)0)
            (q = decay("ab\0":char[3]))
            (l = (long)[p])
        "#]],
    );
}

#[test]
fn pointers_and_places() {
    check_body(
        "struct s { int a; struct { int b; union { int c; char d[4]; }; }; struct s *next; } x, *p;\
         int v[10], m[3][4], *q; int f(int); int (*g)(int); struct s h(void); volatile int w;",
        "x.a; p->b; p->next->c; x.d[1]; v[2]; 2[v]; m[1][2]; *q; q + 1; 1 + q; q - 1; q - v; &v[3]; &*q; *&x;\
         &x.c; f(1); (*g)(2); g(3); (***g)(4); g = f; g = &f; h().a; h().d[1]; w; w = 1; w++; --q; q += 2;\
         m[1]; *m[1]; &m; sizeof m; sizeof(x.d); p = &(struct s){1, .next = p}; x = *p;",
        expect![[r#"
            [x.a]
            [*[p]._.b]
            [*[*[p].next]._._.c]
            [decay(x._._.d)[1]]
            [decay(v)[2]]
            [decay(v)[2]]
            [decay(decay(m)[1])[2]]
            [*[q]]
            ([q] +p 1)
            (1 +p [q])
            ([q] -p 1)
            ([q] -pp decay(v))
            &decay(v)[3]
            [q]
            [*&x]
            &x._._.c
            decay(f)(1)
            [g](2)
            [g](3)
            [g](4)
            (g = decay(f))
            (g = &f)
            decay(h)().a
            [decay(({_: struct s = {0 decay(h)()}})._._.d)[1]]
            [volatile w]
            (w = 1)
            w++
            --q
            (q += 2 in int *)
            decay(decay(m)[1])
            [*decay(decay(m)[1])]
            &m
            48:unsigned long
            4:unsigned long
            (p = &({_: struct s = {0 1, 16 [p]}}))
            (x = [*[p]])
        "#]],
    );
}

#[test]
fn assignments_and_bit_fields() {
    check_body(
        "struct b { unsigned a : 3; int c : 5; unsigned long long e : 40; unsigned : 0; _Bool f : 1; unsigned char g; } x;\
         char c; int i; double d; unsigned u;",
        "x.a = 9; x.a /= -1; x.a += u; x.c += 1; x.a >>= 1; x.e + 1; x.e << 2; x.a + 1; x.f = 2; x.g *= 2;\
         c += 1; i /= d; i <<= c; c++; x.a++; i = c = 3; d -= i; x.a < -1;",
        expect![[r#"
            (x.a = (unsigned int)9)
            (x.a /= -1 in int)
            (x.a += [u] in unsigned int)
            (x.c += 1 in int)
            (x.a >>= 1 in int)
            ((unsigned _BitInt(40))[x.e] + (unsigned _BitInt(40))1)
            ((unsigned _BitInt(40))[x.e] << 2)
            ((int)[x.a] + 1)
            (x.f = (_Bool)2)
            (x.g *= 2 in int)
            (c += 1 in int)
            (i /= [d] in double)
            (i <<= (int)[c] in int)
            c++
            x.a++
            (i = (int)(c = (char)3))
            (d -= (double)[i] in double)
            ((int)[x.a] < -1)
        "#]],
    );
}

#[test]
fn control_in_expressions() {
    check_body(
        "int a, b; unsigned u; long l; int *p; void *v; void f(void); char c; struct s { int x; } s, t;",
        "a && p; a || b; a ? u : b; a ?: l; p ?: v; a ? f() : f(); a ? f() : (void)0; c ?: a; (a, b); a ? s : t;\
         ({ int z = a; z + 1; }); ({ f(); }); a ? p : 0; a ? 0 : v; !(a > b); !!a; a ? b : 2.0;",
        expect![[r#"
            ([a] && [p])
            ([a] || [b])
            ([a] ? [u] : (unsigned int)[b]):unsigned int
            ([a] ?  : [l]):long
            ([p] ?  : [v]):void *
            ([a] ? decay(f)() : decay(f)()):void
            ([a] ? decay(f)() : (void)0):void
            ([c] ?  : [a]):int
            ([a], [b])
            ([a] ? [s] : [t]):struct s
            ({block;   declare z: int = {0 [a]};   ([z] + 1)})
            ({block;   decay(f)()})
            ([a] ? [p] : (int *)0):int *
            ([a] ? (void *)0 : [v]):void *
            !([a] > [b])
            !![a]
            ([a] ? (double)[b] : 0x4000000000000000:double):double
        "#]],
    );
}

#[test]
fn statements() {
    check(
        "int f(int x) {
            int i, n = 0;
            for (int i = 0; i < 10; i++) { if (i == 3) continue; else break; }
            for (;;) ;
            while (x) x--;
            do x++; while (x < 3);
            switch (x) { case 1: case 3 ... 5: n = 1; break; default: n = 2; case -1: ; }
            switch (n) { int unreached; case 7: switch (x) { case 1: ; default: ; } }
            again: if (x) goto again;
            void *target = &&again; goto *target;
            asm(\"\"); asm(\"nop\"); asm(\"\" ::: \"memory\"); asm(\"\" : \"=r\"(n));
            ;
            { end: return n; }
        }
        void g(void) { return; }",
        expect![[r#"
            f(int; None) -> int |x: int|
              block
                declare i: int
                declare n: int = {0 0}
                for ([i] < 10); i++
                  declare i: int = {0 0}
                  block
                    if ([i] == 3)
                      continue
                      break
                for ; 
                  ;
                while [x]
                  x--
                do while ([x] < 3)
                  x++
                switch [x] [1..=1, 3..=5, -1..=-1] default
                  block
                    case
                      case
                        (n = 1)
                    break
                    default
                      (n = 2)
                    case
                      ;
                switch [n] [7..=7]
                  block
                    declare unreached: int
                    case
                      switch [x] [1..=1] default
                        block
                          case
                            ;
                          default
                            ;
                label again
                  if [x]
                    goto again
                declare target: void * = {0 &&again}
                goto *[target]
                asm empty
                asm
                asm empty
                asm
                ;
                block
                  label end
                    return [n]
            g(; None) -> void ||
              block
                return 
        "#]],
    );
}

#[test]
fn builtins() {
    check_body(
        "#include <stdarg.h>\n int i; unsigned u; long l; unsigned long ul; double d; int *p; void *v; char c;",
        "__builtin_expect(i, 1); __builtin_clz(u); __builtin_ctzl(ul); __builtin_popcountll(ul); __builtin_ffs(i);\
         __builtin_parity(u); __builtin_clrsb(i); __builtin_bswap32(u); __builtin_abs(i); __builtin_unreachable(); __builtin_trap();\
         __builtin_add_overflow(i, u, &l); __builtin_mul_overflow_p(i, i, (char)0); __builtin_sadd_overflow(i, i, p);\
         __builtin_alloca(i); __builtin_fabs(d); __builtin_copysign(d, 1.0); __builtin_isnan(d); __builtin_isless(d, 1.0);\
         __builtin_fpclassify(0, 1, 2, 3, 4, d); __builtin_memcpy(v, p, 4); __builtin_strlen(p); __builtin___memset_chk(v, 0, 4, 8); __builtin___sprintf_chk(v, 0, 4, \"x%d\", i);\
         __builtin_constant_p(i); __builtin_constant_p(3); __builtin_object_size(v, 0); __builtin_object_size(v, 2); __builtin_prefetch(p);\
         __builtin_offsetof(struct { int a; int b[3]; }, b[1]); __builtin_types_compatible_p(int, long); __builtin_choose_expr(1, i, d); __builtin_huge_val();\
         __sync_fetch_and_add(p, 2); __atomic_load_n(p, 0); __atomic_store_n(p, c, 0); __sync_bool_compare_and_swap(p, 1, 2); __sync_synchronize();\
         __atomic_compare_exchange_n(p, &i, 3, 0, 0, 0); __atomic_nand_fetch(p, 3, 0); __builtin_frame_address(0); __builtin_ia32_rdtsc(); __builtin_classify_type(d);",
        expect![[r#"
            (long)[i]
            LeadingZeros([u]):int
            TrailingZeros([ul]):int
            OneBits((unsigned long long)[ul]):int
            FirstSet([i]):int
            Parity([u]):int
            RedundantSign([i]):int
            ByteSwap([u]):unsigned int
            Abs([i]):int
            Unreachable():void
            Trap():void
            overflow +([i], [u], &l to long)
            overflow *([i], [i] to char)
            overflow +([i], [i], [p] to int)
            Alloca((unsigned long)[i]):void *
            FloatAbs([d]):double
            CopySign([d], 0x3ff0000000000000:double):double
            Classify(IsNan)([d]):int
            ([d] < 0x3ff0000000000000:double)
            FpClassify(0, 1, 2, 3, 4, [d]):int
            decay(memcpy)([v], (void *)[p], (unsigned long)4)
            decay(strlen)((char *)[p])
            decay(memset)([v], 0, (unsigned long)4)
            decay(sprintf)((char *)[v], decay("x%d\0":char[4]), [i])
            0
            1
            18446744073709551615:unsigned long
            0:unsigned long
            (void)(void *)[p]
            8:unsigned long
            0
            [i]
            0x7ff0000000000000:double
            Atomic(Fetch { op: Add, is_negated: false })([p], 2):int
            Atomic(Load)([p]):int
            Atomic(Store)([p], (int)[c]):void
            Atomic(SwapBool)([p], 1, 2):_Bool
            Atomic(Fence)():void
            Atomic(CompareExchange)([p], &i, 3):_Bool
            Atomic(Update { op: BitAnd, is_negated: true })([p], 3):int
            unsupported(the addresses of stack frames)
            unsupported(the clock of the processor)
            8
        "#]],
    );
}

#[test]
fn variable_arguments() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let text = "int f(int n, ...) { __builtin_va_list a, b; __builtin_va_start(a, n); __builtin_va_copy(b, a);\
                    int x = __builtin_va_arg(a, int); __builtin_va_end(a); return x; }";
        let (checked, _) = accept_with(text, &Options::new(model));
        let expected = match model {
            DataModel::Ilp32 => expect![[r#"
                f(int; Variadic) -> int |n: int|
                  block
                    declare a: char *
                    declare b: char *
                    VaStart(&a):void
                    VaCopy(&b, &a):void
                    declare x: int = {0 VaArg(&a):int}
                    VaEnd(&a):void
                    return [x]
            "#]],
            DataModel::Lp64 => expect![[r#"
                f(int; Variadic) -> int |n: int|
                  block
                    declare a: struct __va_list_tag[1]
                    declare b: struct __va_list_tag[1]
                    VaStart(decay(a)):void
                    VaCopy(decay(b), decay(a)):void
                    declare x: int = {0 VaArg(decay(a)):int}
                    VaEnd(decay(a)):void
                    return [x]
            "#]],
        };
        expected.assert_eq(&dump::unit(&checked.unit));
    }
}

#[test]
fn arrays_of_variable_length() {
    check(
        "int f(int n, int m, int a[n][m], int b[n++]) {
            int v[n][m + 1]; typedef char row[n]; row r; int (*p)[m] = a;
            n = 7; p++;
            return sizeof v + sizeof v[0] + sizeof(row) + sizeof(int[n]) + sizeof(int[n++][2]) + v[1][2] + a[1][2] + sizeof *p + sizeof r;
        }",
        expect![[r#"
            f(int, int, int (*)[*], int *; None) -> int |n: int, m: int, a: int (*)[*], b: int *|
              block
                lengths of [n] * [m] * int
                lengths of n++ * int
                block
                  declare v: int[*][*]
                  lengths of [n] * char
                  declare r: char[*]
                  declare p: int (*)[*] = {0 (int (*)[*])[a]}
                  (n = 7)
                  p++
                  return (int)((((((((((unsigned long)length([n]) * ((unsigned long)length(([m] + 1)) * 4:unsigned long)) + ((unsigned long)length(([m] + 1)) * 4:unsigned long)) + ((unsigned long)length([n]) * 1:unsigned long)) + ((unsigned long)[n] * 4:unsigned long)) + ((unsigned long)n++ * 8:unsigned long)) + (unsigned long)[decay(decay(v)[1])[2]]) + (unsigned long)[decay([a][1])[2]]) + ((unsigned long)length([m]) * 4:unsigned long)) + ((unsigned long)length([n]) * 1:unsigned long))
        "#]],
    );
}

#[test]
fn what_is_not_modelled_is_said() {
    check_body(
        "_Complex double z; typedef int v4 __attribute__((vector_size(16))); v4 v; _Float128 q; double d; int i;",
        "z = 1; z * z; d = z; v + v; v = v; v[0]; q; q = 1; d = q; __real__ z; __builtin_setjmp(0); i = sizeof z;\
         int g(void) { return i; } g();",
        expect![[r#"
            unsupported(complex numbers)
            unsupported(complex numbers)
            (d = unsupported(complex numbers))
            unsupported(vectors)
            unsupported(vectors)
            unsupported(vectors)
            unsupported(numbers of type `_Float128`)
            unsupported(numbers of type `_Float128`)
            (d = unsupported(numbers of type `_Float128`))
            unsupported(complex numbers)
            unsupported(`__builtin_setjmp` and `__builtin_longjmp`)
            (i = (int)16:unsigned long)
            ;
            decay(g)()
        "#]],
    );
}
