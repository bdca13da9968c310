use super::*;

/// So many tasks in two configurations.
pub(crate) fn campaign(tasks: usize) -> Campaign {
    let task = |number: usize| Task {
        content: format!("{number:016x}"),
        expected: Some(if number.is_multiple_of(2) { Answer::Safe } else { Answer::Unsafe }),
        ..Task::new(format!("p{number}"), if number < 3 { "first" } else { "second" }, "p.c")
    };
    let configuration = |text| Configuration::parse(text).expect("a configuration");
    Campaign {
        suite: None,
        tasks: (0..tasks).map(task).collect(),
        configurations: vec![configuration("usual:"), configuration("unroll: loops=unroll")],
        limits: Limits { seconds: 5.0, megabytes: 1000 },
        seed: 7,
        version: "1".to_owned(),
    }
}

#[test]
fn shards_together_are_the_whole() {
    let campaign = campaign(7);
    let name = |run: Run<'_>| (run.task.name.clone(), run.configuration.name.clone());
    let whole: Vec<_> = campaign.runs().map(name).collect();
    assert_eq!(whole.len(), 14);
    for of in 1..10 {
        let mut parts: Vec<_> = (1..=of)
            .flat_map(|number| campaign.runs_in(Shard { number, of }).map(name).collect::<Vec<_>>())
            .collect();
        parts.sort();
        let mut sorted = whole.clone();
        sorted.sort();
        assert_eq!(parts, sorted, "{of} parts");
    }
}

#[test]
fn parts_are_read_and_written() {
    for text in ["1/1", "3/4"] {
        assert_eq!(text.parse::<Shard>().expect("a part").to_string(), text);
    }
    for text in ["", "1", "0/3", "4/3", "a/b", "1/0"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}

#[test]
fn arguments_of_configurations_come_before_those_of_tasks() {
    let mut campaign = campaign(1);
    campaign.tasks[0].settings = vec![Setting::new("loops", "auto"), Setting::new("seed", "3")];
    let lines: Vec<String> =
        campaign.runs().map(|run| campaign.arguments(&run).join(" ")).collect();
    let rest = "--timeout 5 --max-memory 1000 --format json";
    assert_eq!(lines[0], format!("verify --loops auto --seed 3 {rest}"));
    assert_eq!(lines[1], format!("verify --loops unroll --seed 3 {rest}"));
}

#[test]
fn another_property_has_another_answer() {
    let mut campaign = campaign(1);
    campaign.tasks[0].settings = vec![Setting::new("property", "unreach-call")];
    let of = |text: &str, campaign: &Campaign| {
        let configuration = Configuration::parse(text).expect("a configuration");
        Run { task: &campaign.tasks[0], configuration: &configuration }.expected()
    };
    assert_eq!(of("a:", &campaign), Some(Answer::Safe));
    assert_eq!(of("a: property=unreach-call", &campaign), Some(Answer::Safe));
    assert_eq!(of("a: property=termination", &campaign), None);
}

#[test]
fn fingerprints_depend_on_all_that_matters() {
    let one = campaign(2);
    let of = |campaign: &Campaign| -> Vec<String> {
        campaign.runs().map(|run| campaign.fingerprint(&run)).collect()
    };
    let mut all = BTreeSet::from_iter(of(&one));
    let changes: [fn(&mut Campaign); 5] = [
        |campaign| campaign.limits.seconds = 6.0,
        |campaign| campaign.limits.megabytes = 6,
        |campaign| campaign.seed = 8,
        |campaign| campaign.version = "2".to_owned(),
        |campaign| campaign.tasks.iter_mut().for_each(|task| task.content.push('x')),
    ];
    for change in changes {
        let mut other = one.clone();
        change(&mut other);
        assert!(!one.is_same_as(&other));
        all.extend(of(&other));
    }
    assert_eq!(all.len(), 24, "all are different");
    let mut elsewhere = one.clone();
    elsewhere.tasks.iter_mut().for_each(|task| task.file = "/other/machine/p.c".to_owned());
    assert!(one.is_same_as(&elsewhere));
}

#[test]
fn what_makes_no_sense_is_said() {
    assert_eq!(campaign(0).check(), Err(CampaignError::NoTask));
    assert_eq!(campaign(3).check(), Ok(()));
    let mut twice = campaign(2);
    twice.tasks[1].name = "p0".to_owned();
    assert_eq!(twice.check(), Err(CampaignError::SameName("p0".to_owned())));
    let mut timeless = campaign(1);
    timeless.limits.seconds = f64::NAN;
    assert!(timeless.check().is_err());
}
