use super::*;
use crate::Answer;
use crate::results::tests::results;

/// As many elements of a kind as there are in a plot.
fn count(plot: &Plot, element: &str) -> usize {
    plot.file().matches(&format!("<{element} ")).count()
}

#[test]
fn a_campaign_has_its_plots() {
    let results = results(6, |task, configuration| match (task, configuration) {
        (0, 1) => (Answer::Unknown, 5.0),
        (task, _) if task.is_multiple_of(2) => (Answer::Safe, 0.01 * (task + 1) as f64),
        (task, _) => (Answer::Unsafe, 0.5 * task as f64),
    });
    let plots = all(&results);
    let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names, ["quantile", "scatter-1", "bars"]);
    for plot in &plots {
        let text = plot.file();
        assert!(text.contains("seed 7"), "{} says where it comes from", plot.name);
        assert!(text.contains("xmlns=") && !plot.inline().contains("http"));
        assert_eq!(text.matches("<text ").count(), text.matches("</text>").count());
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
    assert_eq!(count(&plots[0], "polyline"), 2, "a line for each configuration");
    assert!(plots[0].file().contains("usual (6/6)") && plots[0].file().contains("unroll (5/6)"));
    assert_eq!(count(&plots[1], "circle"), 6, "a dot for each task");
    assert!(plots[1].file().contains("only usual (1)"));
    assert!(plots[2].file().contains(">usual, 6 runs<"));
    // Two configurations, states and queries, and the paper behind them.
    assert_eq!(count(&plots[2], "rect"), 5);
}

#[test]
fn a_campaign_without_records_has_plots_too() {
    let mut empty = results(2, |_, _| (Answer::Safe, 1.0));
    empty.records.clear();
    let plots = all(&empty);
    assert_eq!(plots.len(), 2, "there is nothing to scatter");
    assert!(plots.iter().all(|plot| !plot.file().contains("NaN")));
}
