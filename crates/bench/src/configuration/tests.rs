use super::*;

fn arguments(text: &str) -> String {
    let configuration = Configuration::parse(text).expect("a configuration");
    let settings = configuration.settings.iter().flat_map(Setting::arguments);
    settings.collect::<Vec<_>>().join(" ")
}

fn complaint(text: &str) -> String {
    Configuration::parse(text).expect_err("no configuration").to_string()
}

#[test]
fn keys_are_options() {
    assert_eq!(arguments("loops=summary,merge=none"), "--loops summary --merge none");
    assert_eq!(arguments("fast: subsume, members=execution+invariants"), {
        "--members execution,invariants --subsume"
    });
    assert_eq!(arguments("as it is:"), "");
    assert_eq!(arguments("x: subsume=false,guide=true"), "--guide");
    assert_eq!(arguments("x: subsume=auto,merge=auto"), "--merge auto --subsume=auto");
    let explored = Configuration::parse("tree: command=explore,search=tree").expect("fine");
    assert_eq!(explored.question, Some(Question::Explore));
    assert_eq!(explored.name, "tree");
    assert_eq!(Configuration::parse("loops=auto").expect("fine").name, "loops=auto");
}

#[test]
fn what_makes_no_sense_is_said() {
    let unknown = complaint("a: loop=summary");
    assert!(unknown.contains("no key `loop`") && unknown.contains("loops,"), "{unknown}");
    assert!(complaint("a: loops").contains("`loops` needs a value"));
    assert!(complaint("a: loops=").contains("needs a value"));
    assert!(complaint("a: guide=perhaps").contains("only true or false"));
    assert!(complaint("a: loops=auto,loops=auto").contains("twice"));
    assert!(complaint("a: command=run").contains("verify, explore, reach, test, loops or costs"));
    assert!(complaint(": loops=auto").contains("needs a name"));
}

#[test]
fn a_file_says_the_same_as_the_command_line() {
    let file = "timeout = 2.5\nmax-memory = 1000\n[[configuration]]\nname = \"fast\"\n\
                subsume = true\nmembers = [\"execution\", \"invariants\"]\nkappa = 3";
    let file = ConfigurationFile::parse(file).expect("a file");
    assert_eq!((file.timeout, file.max_memory), (Some(2.5), Some(1000)));
    let same = Configuration::parse("fast: subsume,members=execution+invariants,kappa=3");
    assert_eq!(file.configurations, [same.expect("fine")]);
    for (text, message) in [
        ("", "no table"),
        ("[[configuration]]\nloops = \"auto\"", "needs a name"),
        ("timeout = -1", "greater than 0"),
        ("jobs = 2", "there is no `jobs`"),
        ("[[configuration]]\nname = \"a\"\nfoo = 1", "no key `foo`"),
        ("timeout = ", "line 1, column"),
        ("[[configuration]]\nname = \"a\"\nloops = {}", "cannot be table"),
    ] {
        let complaint = ConfigurationFile::parse(text).expect_err("no file").to_string();
        assert!(complaint.contains(message), "{text}: {complaint}");
    }
}

#[test]
fn names_are_different() {
    let usual = Configuration::usual();
    assert!(check_names(std::slice::from_ref(&usual)).is_ok());
    let complaint = check_names(&[usual.clone(), usual]).expect_err("the same name");
    assert_eq!(complaint, ConfigurationError::SameName("usual".to_owned()));
}

#[test]
fn settings_go_through_text() {
    for setting in [Setting::new("loops", "a=b"), Setting { key: "guide".to_owned(), value: None }]
    {
        assert_eq!(Setting::from(String::from(setting.clone())), setting);
    }
}
