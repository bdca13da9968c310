//! One page with everything: tables and plots, without scripts, and without anything that lies elsewhere.

use crate::plot::Plot;
use crate::results::Results;
use crate::table::{self, Table};

/// How it looks, on paper too.
const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
.about { color: #555; }
figure { display: inline-block; margin: 1rem 1rem 0 0; vertical-align: top; }
svg { max-width: 100%; height: auto; border: 1px solid #ddd; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #e4e4e4; text-align: left; white-space: nowrap; }
th { border-bottom: 2px solid #888; position: sticky; top: 0; background: #fff; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr:hover td { background: #f4f7fa; }
summary { cursor: pointer; }
";

/// The page of a campaign, with these tables and plots.
pub fn page(results: &Results, tables: &[Table], plots: &[Plot]) -> String {
    let title = match &results.campaign.suite {
        Some(suite) => format!("loupe bench: {suite}"),
        None => "loupe bench".to_owned(),
    };
    let title = escaped(&title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p class=\"about\">{}</p>\n",
        escaped(&results.provenance())
    );
    page += "<h2>Configurations</h2>\n<ul>\n";
    for configuration in &results.campaign.configurations {
        let settings: Vec<String> =
            configuration.settings.iter().map(ToString::to_string).collect();
        let settings =
            if settings.is_empty() { "as it is".to_owned() } else { settings.join(", ") };
        page +=
            &format!("<li><b>{}</b>: {}</li>\n", escaped(&configuration.name), escaped(&settings));
    }
    page += "</ul>\n<h2>Plots</h2>\n";
    for plot in plots {
        page += &format!("<figure id=\"{}\">\n{}</figure>\n", escaped(&plot.name), plot.inline());
    }
    for table in tables {
        page += &format!("<h2>{}</h2>\n{}", escaped(&table.title), of_table(table));
    }
    let runs = table::runs(results);
    page += &format!(
        "<h2>Runs</h2>\n<details>\n<summary>{} runs</summary>\n{}</details>\n</body>\n</html>\n",
        runs.rows.len(),
        of_table(&runs)
    );
    page
}

fn of_table(table: &Table) -> String {
    let classes: Vec<&str> = (0..table.header.len())
        .map(|column| if table.is_numeric(column) { " class=\"number\"" } else { "" })
        .collect();
    let row = |element: &str, cells: &[String]| {
        let cells = cells
            .iter()
            .zip(&classes)
            .map(|(cell, class)| format!("<{element}{class}>{}</{element}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = table.rows.iter().map(|cells| row("td", cells)).collect();
    let notes: String = table
        .notes
        .iter()
        .map(|note| format!("<p class=\"about\">{}</p>\n", escaped(note)))
        .collect();
    let header = row("th", &table.header);
    format!(
        "<div class=\"wide\"><table>\n<thead>\n{header}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n{notes}"
    )
}

/// A text as HTML and XML have it; characters that they do not allow are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(' '),
            character if character.is_control() => {}
            '\u{fffe}' | '\u{ffff}' => {}
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
