//! Random programs: where running one on small inputs shows an error, there must be no proof.

use super::{attempt, c};
use loupe_engine::concrete::{self, Interpreter, RunLength, Unobserved};
use loupe_gen::{InputRange, Language, Parameters, generate};
use loupe_integer::Integer;
use loupe_ir::program::Program;
use loupe_symbolic::invariants::Outcome;
use loupe_symbolic::property::Property;

/// So many programs, or as many as the environment says.
fn programs() -> u64 {
    let wanted = std::env::var("LOUPE_FUZZ").ok();
    wanted.and_then(|number| number.parse().ok()).unwrap_or(48)
}

/// The work for one program: what is not proved with it is unknown, which is never wrong.
const WORK: u64 = 100_000;
/// So many input streams are tried.
const STREAMS: usize = 120;

/// Whether a run ends in an error.
fn fails(program: &Program, inputs: &[i64]) -> bool {
    let options = concrete::Options {
        input: Box::new(inputs.iter().map(|n| Integer::from(*n)).collect::<RunLength>()),
        max_steps: Some(4_000),
        max_depth: 100,
        ..concrete::Options::default()
    };
    let end = Interpreter::new(program, options).run(&mut Vec::new(), &mut Unobserved).end;
    matches!(end, concrete::End::Failed(_))
}

/// Numbers by chance, the same ones every time (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn variable(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "n", "g", "z[0]", "z[1]"])
    }

    fn constant(&mut self) -> String {
        (self.below(6) as i64 - 1).to_string()
    }

    fn value(&mut self) -> String {
        match self.below(8) {
            0 => self.constant(),
            1 => "in()".to_owned(),
            2 => format!("{} + {}", self.variable(), self.variable()),
            3 => format!("{} - {}", self.variable(), self.variable()),
            4 => format!("2 * {}", self.variable()),
            5 => format!("z[{} & 1]", self.variable()),
            _ => format!("{} + {}", self.variable(), self.constant()),
        }
    }

    fn condition(&mut self) -> String {
        let relation = self.pick(&["<", "<=", "!=", "==", ">"]);
        match self.below(3) {
            0 => format!("{} {relation} {}", self.variable(), self.constant()),
            1 => format!("{} {relation} {}", self.variable(), self.variable()),
            _ => "in() > 0".to_owned(),
        }
    }

    /// Some statements, in so many loops at most.
    fn statements(&mut self, loops: u64, text: &mut String) {
        for _ in 0..1 + self.below(3) {
            match self.below(12) {
                0 | 1 if loops > 0 => {
                    let condition = self.condition();
                    *text += &format!("while ({condition}) {{ ");
                    self.statements(loops - 1, text);
                    if self.below(4) == 0 {
                        *text += &format!("if ({}) break; ", self.condition());
                    }
                    *text += &format!("{}++; }} ", self.pick(&["a", "b", "c"]));
                }
                2 => {
                    *text += &format!("if ({}) {{ ", self.condition());
                    self.statements(loops.min(1) / 2, text);
                    *text += "} ";
                }
                3 => *text += &format!("z[{} & 1] = {}; ", self.variable(), self.value()),
                4 => *text += &format!("up({}); ", self.variable()),
                5 => *text += &format!("{{ int u; if (in() > 2) u = {}; g = u; }} ", self.value()),
                6 => *text += &format!("*p = {}; ", self.value()),
                7 => *text += "p = p == &g ? &h : &g; ",
                _ => *text += &format!("{} = {}; ", self.variable(), self.value()),
            }
            if self.below(6) == 0 {
                *text += &format!("check({}); ", self.claim());
            }
        }
    }

    fn claim(&mut self) -> String {
        let relation = self.pick(&["<=", "!=", "<", ">="]);
        match self.below(3) {
            0 => format!("{} {relation} {}", self.variable(), self.variable()),
            1 => format!("{} {relation} {} + n", self.variable(), self.variable()),
            _ => format!("{} {relation} {}", self.variable(), self.below(300) as i64 - 30),
        }
    }

    fn program(&mut self) -> String {
        let types = ["int", "unsigned char", "signed char", "unsigned", "short"];
        let mut text = format!("{} g, h = 1, *p = &g;\n", self.pick(&["int", "unsigned char"]));
        text += &format!(
            "void up(int m) {{ int i = 0; while (i < m) {{ {} i++; }} }}\n",
            self.pick(&["g++;", "g = i;", "if (in()) h++;", "p = &h;", ""])
        );
        text += "int main() {\n";
        for name in ["a", "b", "c", "n"] {
            let first = if self.below(2) == 0 { "in()".to_owned() } else { self.constant() };
            text += &format!("{} {name} = {first}; ", self.pick(&types));
        }
        text += &format!("{} z[2] = {{ 0, 1 }};\n", self.pick(&types));
        if self.below(2) == 0 {
            text += "if (n < 0 || n > 5) return 0;\n";
        }
        text += &format!("while ({}) {{ ", self.condition());
        self.statements(1, &mut text);
        text += &format!("{}++; }}\n", self.pick(&["a", "b", "c"]));
        self.statements(2, &mut text);
        text += &format!("\ncheck({}); return 0; }}\n", self.claim());
        text
    }
}

#[test]
fn programs_that_fail_are_not_proved() {
    let mut dice = Dice(2024);
    let (mut proved, mut failing) = (0, 0);
    for _ in 0..programs() {
        let text = dice.program();
        let program = c(&text);
        let streams: Vec<Vec<i64>> =
            (0..STREAMS).map(|_| (0..12).map(|_| dice.below(9) as i64 - 2).collect()).collect();
        let failure = streams.iter().find(|inputs| fails(&program, inputs));
        failing += u64::from(failure.is_some());
        match attempt(&program, Property::UnreachCall, WORK) {
            Outcome::Proved(proof) => {
                assert!(failure.is_none(), "{text}\n{failure:?}\n{proof:?}");
                proved += 1;
            }
            Outcome::Unknown(_) => {}
        }
    }
    println!("{failing} fail, {proved} proved, of {}", programs());
    assert!(failing > programs() / 4 && proved > programs() / 20, "{failing} {proved}");
}

#[test]
fn generated_programs_that_fail_are_not_proved() {
    let (mut proved, mut failing) = (0, 0);
    let most = programs() / 4;
    for seed in 0..most {
        let parameters = Parameters {
            language: if seed % 2 == 0 { Language::C } else { Language::Microc },
            seed,
            max_inputs: 2,
            input_range: Some(InputRange { low: -1, high: 2 }),
            ..Parameters::default()
        };
        let text = generate(&parameters).expect("parameters that make sense");
        let program = match parameters.language {
            Language::C => {
                loupe_c::testing::compile_text(
                    &text,
                    loupe_c::front::DataModel::Lp64,
                    loupe_c::testing::ALL_CHECKS,
                )
                .program
            }
            Language::Microc => microc(&text),
        };
        let all = (-1..=2).flat_map(|a| (-1..=2).map(move |b| [a, b]));
        let failure = all.into_iter().find(|inputs| fails(&program, inputs));
        failing += u64::from(failure.is_some());
        if let Outcome::Proved(proof) = attempt(&program, Property::NoErrors, WORK) {
            assert!(failure.is_none(), "{text}\n{failure:?}\n{proof:?}");
            proved += 1;
        }
    }
    println!("{failing} fail, {proved} proved, of {most}");
    assert!(failing + proved > 0);
}

fn microc(text: &str) -> Program {
    use loupe_microc::{Dialect, lower, parse, resolve};
    let mut sources = loupe_ir::source::Sources::new();
    let file = sources.add("test.uc", text);
    let tree = parse(file, text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let resolution = resolve(&tree).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    lower(&tree, &resolution, sources, Dialect::default())
}
