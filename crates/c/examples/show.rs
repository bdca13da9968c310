//! Prints the flowgraph of a C file.
use loupe_c::front::{self, DataModel, Files};
use loupe_c::{Source, lower};
use std::path::Path;
#[derive(Debug)]
struct Disk;
impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let data_model = DataModel::Lp64;
    let source = Source {
        text: std::fs::read(&name).unwrap(),
        name,
        options: front::Options::new(data_model),
    };
    let options = lower::Options {
        data_model,
        checks: lower::Checks::default(),
        volatile: lower::Volatile::Memory,
        entry: lower::Entry::Any,
    };
    match loupe_c::compile(vec![source], None, &Disk, &options) {
        Ok(l) => {
            println!("{}", loupe_ir::text::print(&l.program));
            println!("{:?}", loupe_ir::validate::validate(&l.program));
        }
        Err(e) => println!("{:?}", e.errors),
    }
}
