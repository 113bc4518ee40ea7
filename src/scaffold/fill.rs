//! Templates with `{{names}}` in double braces; single braces are part of the texts of packs.

/// Replaces the names in a template; values are not expanded again.
pub fn fill(template: &str, pairs: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        let value = pairs
            .iter()
            .find(|(own, _)| *own == name)
            .map(|(_, value)| *value);
        debug_assert!(value.is_some(), "no value for {name}");
        out.push_str(before);
        out.push_str(value.unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A string in TOML syntax, with quotes.
pub fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
