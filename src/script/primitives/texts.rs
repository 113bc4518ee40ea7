//! Texts: the language functions. Positions count characters. A negative position counts
//! from the end, and -1 is the last character.

use kaer_macros::primitives;

use super::lists::{index, span};
use crate::game::render::grammar;
use crate::number::cast;
use crate::script::operators::{MAX_WEIGHT, check_list, check_text, display, text_cost};
use crate::script::primitive::*;

/// Charges the work of going through a string.
fn charge_text(cx: &mut Cx, text: &str) -> StepResult {
    cx.charge_work(text_cost(text.len()))
}

/// The number of characters before a byte.
fn chars_before(text: &str, byte: usize) -> i64 {
    cast::<_, i64>(text.get(..byte).unwrap_or(text).chars().count())
}

/// A string, split before a character.
fn split_chars(text: &str, chars: usize) -> (&str, &str) {
    let byte = text.char_indices().nth(chars).map(|(byte, _)| byte);
    byte.and_then(|byte| text.split_at_checked(byte))
        .unwrap_or((text, ""))
}

/// A part of a string.
fn part(text: &str, start: i64, len: i64) -> &str {
    let (start, len) = span(text.chars().count(), start, len);
    split_chars(split_chars(text, start).1, len).0
}

fn one_character(character: char) -> Text {
    Text::from(&*character.encode_utf8(&mut [0; 4]))
}

/// A list of strings, if there are not too many.
fn texts(cx: &mut Cx, parts: impl Iterator<Item = Text>) -> StepResult<List> {
    let limit = MAX_WEIGHT as usize + 1;
    let parts: Vec<Value> = parts.take(limit).map(Value::Text).collect();
    cx.charge_work(parts.len() as u64)?;
    check_list(cx, parts.len() as u64 + 1, 1)?;
    Ok(List::new(parts))
}

fn replace_all(cx: &mut Cx, text: &mut Text, old: &str, new: &str) -> StepResult {
    charge_text(cx, text)?;
    let count = text.matches(old).count();
    if count == 0 {
        return Ok(());
    }
    let left = text.len().saturating_sub(count * old.len());
    let length = left.saturating_add(count.saturating_mul(new.len()));
    check_text(cx, length)?;
    cx.charge_work(text_cost(length))?;
    *text = text.replace(old, new).into();
    Ok(())
}

/// Whether splitting at a delimiter leaves a string in one part.
fn is_one_part(text: &str, delimiter: &str) -> bool {
    text.is_empty() || !delimiter.is_empty() && !text.contains(delimiter)
}

/// A number of parts, if there may be more than one.
fn segments(count: i64) -> Option<usize> {
    usize::try_from(count).ok().filter(|count| *count > 1)
}

fn upper(cx: &mut Cx, text: &Text) -> StepResult<Text> {
    charge_text(cx, text)?;
    if text.chars().all(char::is_uppercase) {
        return Ok(text.clone());
    }
    let upper = text.to_uppercase();
    check_text(cx, upper.len())?;
    Ok(upper.into())
}

fn lower(cx: &mut Cx, text: &Text) -> StepResult<Text> {
    charge_text(cx, text)?;
    if text.chars().all(char::is_lowercase) {
        return Ok(text.clone());
    }
    let lower = text.to_lowercase();
    check_text(cx, lower.len())?;
    Ok(lower.into())
}

#[primitives("language")]
pub mod functions {
    use super::*;

    /// Returns the number of characters in a string.
    /// ```rhai
    /// "rose".len() // is 4
    /// ```
    #[does(LANGUAGE)]
    pub fn len(cx: &mut Cx, text: Text) -> StepResult<i64> {
        charge_text(cx, &text)?;
        Ok(cast::<_, i64>(text.chars().count()))
    }

    /// Returns whether a string has no characters.
    /// ```rhai
    /// "rose".is_empty() // is false
    /// ```
    #[does(LANGUAGE)]
    pub fn is_empty(text: Text) -> bool {
        text.is_empty()
    }

    /// Returns the length of a string in bytes. Letters with accents take more than one.
    /// ```rhai
    /// "rosé".bytes() // is 5
    /// ```
    #[does(LANGUAGE)]
    pub fn bytes(text: Text) -> i64 {
        cast::<_, i64>(text.len())
    }

    /// Returns whether a string contains another.
    /// ```rhai
    /// "primrose".contains("rose") // is true
    /// ```
    #[does(LANGUAGE)]
    pub fn contains(cx: &mut Cx, text: Text, part: Text) -> StepResult<bool> {
        charge_text(cx, &text)?;
        Ok(text.contains(part.as_str()))
    }

    /// Returns whether a string starts with another.
    /// ```rhai
    /// "primrose".starts_with("prim") // is true
    /// ```
    #[does(LANGUAGE)]
    pub fn starts_with(cx: &mut Cx, text: Text, part: Text) -> StepResult<bool> {
        charge_text(cx, &part)?;
        Ok(text.starts_with(part.as_str()))
    }

    /// Returns whether a string ends with another.
    /// ```rhai
    /// "primrose".ends_with("rose") // is true
    /// ```
    #[does(LANGUAGE)]
    pub fn ends_with(cx: &mut Cx, text: Text, part: Text) -> StepResult<bool> {
        charge_text(cx, &part)?;
        Ok(text.ends_with(part.as_str()))
    }

    /// Returns the position at which a string contains another, or -1 if it does not.
    /// ```rhai
    /// "primrose".index_of("rose") // is 4
    /// "primrose".index_of("tulip") // is -1
    /// ```
    #[does(LANGUAGE)]
    pub fn index_of(cx: &mut Cx, text: Text, part: Text) -> StepResult<i64> {
        index_of_from(cx, text, part, 0)
    }

    /// Returns the first position from `start` on at which a string contains another, or -1 if it does
    /// not.
    /// ```rhai
    /// "rose, primrose".index_of("rose", 1) // is 10
    /// ```
    #[name("index_of")]
    #[does(LANGUAGE)]
    pub fn index_of_from(cx: &mut Cx, text: Text, part: Text, start: i64) -> StepResult<i64> {
        charge_text(cx, &text)?;
        let chars = text.chars().count();
        let from = index(chars, start);
        if text.is_empty() || start > 0 && from >= chars {
            return Ok(-1);
        }
        let (before, rest) = split_chars(&text, from);
        let found = rest.find(part.as_str());
        Ok(found.map_or(-1, |byte| chars_before(&text, before.len() + byte)))
    }

    /// Returns the part of a string from a position on.
    /// ```rhai
    /// "primrose".sub_string(4) // is rose
    /// "primrose".sub_string(-4) // is rose
    /// ```
    #[name("sub_string")]
    #[does(LANGUAGE)]
    pub fn sub_string_from(cx: &mut Cx, text: Text, start: i64) -> StepResult<Text> {
        sub_string(cx, text, start, i64::MAX)
    }

    /// Returns up to `len` characters of a string from a position on.
    /// ```rhai
    /// "primrose".sub_string(0, 4) // is prim
    /// ```
    #[does(LANGUAGE)]
    pub fn sub_string(cx: &mut Cx, text: Text, start: i64, len: i64) -> StepResult<Text> {
        charge_text(cx, &text)?;
        Ok(part(&text, start, len).into())
    }

    /// Shortens a string to its part from a position on.
    /// ```rhai
    /// let flower = "primrose";
    /// flower.crop(4);
    /// flower // is rose
    /// ```
    #[name("crop")]
    #[does(LANGUAGE)]
    pub fn crop_from(cx: &mut Cx, text: &mut Text, start: i64) -> StepResult<()> {
        crop(cx, text, start, i64::MAX)
    }

    /// Shortens a string to up to `len` characters from a position on.
    /// ```rhai
    /// let flower = "primrose";
    /// flower.crop(0, 4);
    /// flower // is prim
    /// ```
    #[does(LANGUAGE)]
    pub fn crop(cx: &mut Cx, text: &mut Text, start: i64, len: i64) -> StepResult<()> {
        charge_text(cx, text)?;
        *text = part(text, start, len).into();
        Ok(())
    }

    /// Shortens a string to its first characters.
    /// ```rhai
    /// let flower = "primrose";
    /// flower.truncate(4);
    /// flower // is prim
    /// ```
    #[does(LANGUAGE)]
    pub fn truncate(cx: &mut Cx, text: &mut Text, len: i64) -> StepResult<()> {
        crop(cx, text, 0, len)
    }

    /// Removes the spaces around a string.
    /// ```rhai
    /// let flower = " rose ";
    /// flower.trim();
    /// flower // is rose
    /// ```
    #[does(LANGUAGE)]
    pub fn trim(cx: &mut Cx, text: &mut Text) -> StepResult<()> {
        charge_text(cx, text)?;
        *text = text.trim().into();
        Ok(())
    }

    /// Returns a string in uppercase.
    /// ```rhai
    /// "rose".to_upper() // is ROSE
    /// ```
    #[does(LANGUAGE)]
    pub fn to_upper(cx: &mut Cx, text: Text) -> StepResult<Text> {
        upper(cx, &text)
    }

    /// Returns a string in lowercase.
    /// ```rhai
    /// "Rose".to_lower() // is rose
    /// ```
    #[does(LANGUAGE)]
    pub fn to_lower(cx: &mut Cx, text: Text) -> StepResult<Text> {
        lower(cx, &text)
    }

    /// Changes a string to uppercase.
    /// ```rhai
    /// let flower = "rose";
    /// flower.make_upper();
    /// flower // is ROSE
    /// ```
    #[does(LANGUAGE)]
    pub fn make_upper(cx: &mut Cx, text: &mut Text) -> StepResult<()> {
        *text = upper(cx, text)?;
        Ok(())
    }

    /// Changes a string to lowercase.
    /// ```rhai
    /// let flower = "Rose";
    /// flower.make_lower();
    /// flower // is rose
    /// ```
    #[does(LANGUAGE)]
    pub fn make_lower(cx: &mut Cx, text: &mut Text) -> StepResult<()> {
        *text = lower(cx, text)?;
        Ok(())
    }

    /// Replaces a part of a string with another wherever it occurs.
    /// ```rhai
    /// let flowers = "rose and primrose";
    /// flowers.replace("rose", "lily");
    /// flowers // is lily and primlily
    /// ```
    #[does(LANGUAGE)]
    pub fn replace(cx: &mut Cx, text: &mut Text, old: Text, new: Text) -> StepResult<()> {
        if text.is_empty() {
            return Ok(());
        }
        replace_all(cx, text, &old, &new)
    }

    /// Removes a part of a string wherever it occurs.
    /// ```rhai
    /// let flower = "prim-rose";
    /// flower.remove("-");
    /// flower // is primrose
    /// ```
    #[does(LANGUAGE)]
    pub fn remove(cx: &mut Cx, text: &mut Text, part: Text) -> StepResult<()> {
        if part.is_empty() {
            return Ok(());
        }
        replace_all(cx, text, &part, "")
    }

    /// Pads a string to a length by repeating another string at its end.
    /// ```rhai
    /// let flower = "rose";
    /// flower.pad(7, ".");
    /// flower // is rose...
    /// ```
    #[does(LANGUAGE)]
    pub fn pad(cx: &mut Cx, text: &mut Text, len: i64, padding: Text) -> StepResult<()> {
        let len = usize::try_from(len).unwrap_or(0);
        check_text(cx, len)?;
        charge_text(cx, text)?;
        let missing = len.saturating_sub(text.chars().count());
        if missing == 0 {
            return Ok(());
        }
        if padding.is_empty() {
            return Err(cx.fault("cannot pad with an empty string"));
        }
        cx.charge_work(text_cost(missing))?;
        let mut padded = text.to_string();
        for character in padding.chars().cycle().take(missing) {
            padded.push(character);
            check_text(cx, padded.len())?;
        }
        *text = padded.into();
        Ok(())
    }

    /// Returns the text of a value with spaces after it, so that columns line up.
    /// ```rhai
    /// padded("rose", 6) + "|" // is rose  |
    /// padded(12, 3) + "|" // is 12 |
    /// ```
    pub fn padded(cx: &mut Cx, value: Value, len: i64) -> StepResult<Text> {
        let mut text = display(cx, &value)?;
        let len = usize::try_from(len).unwrap_or(0);
        check_text(cx, len)?;
        let missing = len.saturating_sub(text.chars().count());
        cx.charge_work(text_cost(text.len() + missing))?;
        text.extend(std::iter::repeat_n(' ', missing));
        Ok(text.into())
    }

    /// Returns a number with its noun, which becomes a plural unless the number is 1.
    /// ```rhai
    /// plural(1, "coin") // is 1 coin
    /// plural(3, "berry") // is 3 berries
    /// ```
    pub fn plural(number: i64, noun: Text) -> String {
        grammar::count(number, &noun)
    }

    /// Returns a number with its noun, whose plural is irregular.
    /// ```rhai
    /// plural(2, "wolf", "wolves") // is 2 wolves
    /// ```
    #[name("plural")]
    pub fn irregular_plural(number: i64, noun: Text, nouns: Text) -> String {
        format!("{number} {}", if number == 1 { &noun } else { &nouns })
    }

    /// Returns the words of a string: its parts between spaces.
    /// ```rhai
    /// "rose tulip daisy".split() // is [rose, tulip, daisy]
    /// ```
    #[name("split")]
    #[does(LANGUAGE)]
    pub fn split_words(cx: &mut Cx, text: Text) -> StepResult<List> {
        charge_text(cx, &text)?;
        if text.is_empty() {
            return texts(cx, std::iter::once(text));
        }
        texts(cx, text.split_whitespace().map(Text::from))
    }

    /// Returns the parts of a string between delimiters.
    /// ```rhai
    /// "rose, tulip, daisy".split(", ") // is [rose, tulip, daisy]
    /// ```
    #[does(LANGUAGE)]
    pub fn split(cx: &mut Cx, text: Text, delimiter: Text) -> StepResult<List> {
        split_into(cx, text, delimiter, i64::MAX)
    }

    /// Returns up to `parts` parts of a string between delimiters. The last part is the rest of the
    /// string.
    /// ```rhai
    /// "rose-tulip-daisy".split("-", 2) // is [rose, tulip-daisy]
    /// ```
    #[name("split")]
    #[does(LANGUAGE)]
    pub fn split_into(cx: &mut Cx, text: Text, delimiter: Text, parts: i64) -> StepResult<List> {
        charge_text(cx, &text)?;
        match segments(parts) {
            Some(count) if !is_one_part(&text, &delimiter) => {
                texts(cx, text.splitn(count, delimiter.as_str()).map(Text::from))
            }
            _ => texts(cx, std::iter::once(text)),
        }
    }

    /// Splits a string at a position and returns both parts.
    /// ```rhai
    /// "primrose".split(4) // is [prim, rose]
    /// "primrose".split(-1) // is [primros, e]
    /// ```
    #[name("split")]
    #[does(LANGUAGE)]
    pub fn split_at(cx: &mut Cx, text: Text, position: i64) -> StepResult<List> {
        charge_text(cx, &text)?;
        // Position 0 counts from the end.
        let chars = text.chars().count();
        let at = if position == 0 {
            chars
        } else {
            index(chars, position)
        };
        let (before, rest) = split_chars(&text, at);
        texts(cx, [before, rest].into_iter().map(Text::from))
    }

    /// Returns the parts of a string between delimiters, the last one first.
    /// ```rhai
    /// "rose-tulip-daisy".split_rev("-") // is [daisy, tulip, rose]
    /// ```
    #[does(LANGUAGE)]
    pub fn split_rev(cx: &mut Cx, text: Text, delimiter: Text) -> StepResult<List> {
        split_rev_into(cx, text, delimiter, i64::MAX)
    }

    /// Returns up to `parts` parts of a string between delimiters, the last one first. The last item is
    /// the rest of the string.
    /// ```rhai
    /// "rose-tulip-daisy".split_rev("-", 2) // is [daisy, rose-tulip]
    /// ```
    #[name("split_rev")]
    #[does(LANGUAGE)]
    pub fn split_rev_into(
        cx: &mut Cx,
        text: Text,
        delimiter: Text,
        parts: i64,
    ) -> StepResult<List> {
        charge_text(cx, &text)?;
        match segments(parts) {
            Some(count) if !is_one_part(&text, &delimiter) => {
                texts(cx, text.rsplitn(count, delimiter.as_str()).map(Text::from))
            }
            _ => texts(cx, std::iter::once(text)),
        }
    }

    /// Removes all characters of a string.
    /// ```rhai
    /// let flower = "rose";
    /// flower.clear();
    /// flower.len() // is 0
    /// ```
    #[does(LANGUAGE)]
    pub fn clear(text: &mut Text) {
        *text = Text::new();
    }

    /// Removes the last character of a string and returns it, or `()` if the string is empty.
    /// ```rhai
    /// let flower = "rose";
    /// flower.pop(); // is e
    /// flower // is ros
    /// ```
    #[does(LANGUAGE)]
    pub fn pop(cx: &mut Cx, text: &mut Text) -> StepResult<Option<Text>> {
        charge_text(cx, text)?;
        let mut chars = text.chars();
        let last = chars.next_back().map(one_character);
        let rest = Text::from(chars.as_str());
        *text = rest;
        Ok(last)
    }

    /// Removes up to `len` characters from the end of a string and returns them.
    /// ```rhai
    /// let flower = "primrose";
    /// flower.pop(4); // is rose
    /// flower // is prim
    /// ```
    #[name("pop")]
    #[does(LANGUAGE)]
    pub fn pop_many(cx: &mut Cx, text: &mut Text, len: i64) -> StepResult<Text> {
        charge_text(cx, text)?;
        let chars = text.chars().count();
        let (before, last) = split_chars(text, chars - index(chars, len.max(0)));
        let (before, last) = (Text::from(before), Text::from(last));
        *text = before;
        Ok(last)
    }

    /// Adds a value at the end of a string.
    /// ```rhai
    /// let flower = "prim";
    /// flower.append("rose");
    /// flower.append(2);
    /// flower // is primrose2
    /// ```
    #[does(LANGUAGE)]
    pub fn append(cx: &mut Cx, text: &mut Text, value: Value) -> StepResult<()> {
        let added = display(cx, &value)?;
        check_text(cx, text.len() + added.len())?;
        charge_text(cx, text)?;
        *text = [text.as_str(), &added].concat().into();
        Ok(())
    }

    /// Returns the character at a position, or `()` if there is none. Positions start at 0; -1 is the
    /// last character.
    /// ```rhai
    /// "rose".get(0) // is r
    /// "rose".get(-1) // is e
    /// "rose".get(4) // is ()
    /// ```
    #[does(LANGUAGE)]
    pub fn get(cx: &mut Cx, text: Text, position: i64) -> StepResult<Option<Text>> {
        charge_text(cx, &text)?;
        let at = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
        let found = if position < 0 {
            text.chars().rev().nth(at - 1)
        } else {
            text.chars().nth(at)
        };
        Ok(found.map(one_character))
    }

    /// Replaces the character at a position. Does nothing if there is none.
    /// ```rhai
    /// let flower = "rose";
    /// flower.set(0, "n");
    /// flower // is nose
    /// ```
    #[does(LANGUAGE)]
    pub fn set(cx: &mut Cx, text: &mut Text, position: i64, character: Text) -> StepResult<()> {
        charge_text(cx, text)?;
        let mut one = character.chars();
        if one.next().is_none() || one.next().is_some() {
            return Err(cx.fault("a character of a string can only be replaced by one character"));
        }
        let chars = text.chars().count();
        let at = index(chars, position);
        let is_before = position < 0 && position.unsigned_abs() > chars as u64;
        if is_before || at >= chars {
            return Ok(());
        }
        let (before, rest) = split_chars(text, at);
        let after = split_chars(rest, 1).1;
        check_text(cx, before.len() + character.len() + after.len())?;
        *text = [before, &character, after].concat().into();
        Ok(())
    }

    /// Returns a list of the characters of a string, each a string of its own.
    /// ```rhai
    /// "rose".to_chars() // is [r, o, s, e]
    /// ```
    #[does(LANGUAGE)]
    pub fn to_chars(cx: &mut Cx, text: Text) -> StepResult<List> {
        chars_part(cx, text, 0, i64::MAX)
    }

    /// Returns a list of the characters of a string, each a string of its own.
    /// ```rhai
    /// "rose".chars() // is [r, o, s, e]
    /// ```
    #[does(LANGUAGE)]
    pub fn chars(cx: &mut Cx, text: Text) -> StepResult<List> {
        chars_part(cx, text, 0, i64::MAX)
    }

    /// Returns a list of the characters of a string from a position on.
    /// ```rhai
    /// "rose".chars(2) // is [s, e]
    /// ```
    #[name("chars")]
    #[does(LANGUAGE)]
    pub fn chars_from(cx: &mut Cx, text: Text, start: i64) -> StepResult<List> {
        chars_part(cx, text, start, i64::MAX)
    }

    /// Returns a list of up to `len` characters of a string from a position on.
    /// ```rhai
    /// "rose".chars(1, 2) // is [o, s]
    /// ```
    #[name("chars")]
    #[does(LANGUAGE)]
    pub fn chars_part(cx: &mut Cx, text: Text, start: i64, len: i64) -> StepResult<List> {
        charge_text(cx, &text)?;
        let part = part(&text, start, len);
        texts(cx, part.chars().map(one_character))
    }
}
