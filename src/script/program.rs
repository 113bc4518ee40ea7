//! The code of a game's scripts, emitted when it is first needed: commands that only read packs
//! never need it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::bytecode::Code;
use super::codegen::{self, Environment};
use super::compile::{CompiledScript, Scripts};
use super::primitives::closures;
use super::syntax::{Function, Script};
use super::trace::{ScriptId, Trace};
use super::vm;
use crate::content::{Content, HookDef, HookId};
use crate::value::Text;

/// The functions of all packs, and those of the language that take closures.
pub(super) struct Program {
    /// The functions by number. Those of the language come first.
    functions: Vec<PackCode>,
    /// For each pack, the numbers of the functions that its scripts see.
    visible: Vec<HashMap<(Text, usize), u16>>,
    /// The names in scripts, each as one text.
    names: RefCell<HashMap<String, Text>>,
    /// The language functions, by name and number of arguments.
    language: HashMap<(Text, usize), u16>,
}

/// A function and its code.
struct PackCode {
    /// The pack whose functions it sees.
    pack: usize,
    /// The file it is in; `None` for a language function.
    file: Option<Text>,
    text: Text,
    script: Rc<Script>,
    /// Its position in the script.
    at: usize,
    code: OnceCell<Rc<Code>>,
}

impl PackCode {
    fn function(&self) -> &Function {
        &self.script.functions[self.at]
    }
}

impl Program {
    fn add(
        &mut self,
        pack: usize,
        file: Option<&Text>,
        text: &str,
        script: &Rc<Script>,
    ) -> Vec<u16> {
        let text = Text::from(text);
        let mut numbers = Vec::new();
        for at in 0..script.functions.len() {
            numbers.push(u16::try_from(self.functions.len()).unwrap_or(u16::MAX));
            self.functions.push(PackCode {
                pack,
                file: file.cloned(),
                text: text.clone(),
                script: script.clone(),
                at,
                code: OnceCell::new(),
            });
        }
        numbers
    }

    pub(super) fn interned(&self, content: &Content, name: &str) -> Text {
        if let Some(known) = self.names.borrow().get(name) {
            return known.clone();
        }
        let text = content.interned(name);
        let mut names = self.names.borrow_mut();
        names.insert(name.to_owned(), text.clone());
        text
    }

    fn key(&self, number: u16) -> (Text, usize) {
        let function = self.functions[usize::from(number)].function();
        (function.name.clone(), function.parameters.len())
    }
}

impl Scripts {
    /// The functions of the game.
    pub(super) fn program(&self) -> &Program {
        self.program.get_or_init(|| self.link())
    }

    fn link(&self) -> Program {
        let mut program = Program {
            functions: Vec::new(),
            visible: Vec::new(),
            names: RefCell::default(),
            language: HashMap::new(),
        };
        let language = Rc::new(closures::script(&self.parser));
        for number in program.add(0, None, closures::SOURCE, &language) {
            let key = program.key(number);
            program.language.insert(key, number);
        }
        let mut by_pack: Vec<BTreeMap<(Text, usize), u16>> = Vec::new();
        for (pack, files) in self.libraries.files.iter().enumerate() {
            let mut functions = BTreeMap::new();
            for library in files {
                for number in program.add(pack, Some(&library.name), &library.text, &library.tree) {
                    functions.insert(program.key(number), number);
                }
            }
            by_pack.push(functions);
        }
        for pack in 0..self.content.packs.len() {
            let mut visible = HashMap::new();
            // The pack's own functions come last, so that they win.
            for other in self.content.visible[pack].iter().rev() {
                let functions = &by_pack[usize::from(*other)];
                visible.extend(functions.iter().map(|(key, number)| (key.clone(), *number)));
            }
            program.visible.push(visible);
        }
        program
    }

    /// The code of a hook.
    pub(super) fn hook_code(
        &self,
        compiled: &CompiledScript,
        def: &HookDef,
        hook: HookId,
    ) -> Rc<Code> {
        let emit = || {
            let id = ScriptId::Hook(hook);
            let pack = usize::from(def.script.by);
            Rc::new(self.emit(&compiled.tree.body, pack, &id, None, &compiled.parsed))
        };
        compiled.code.get_or_init(emit).clone()
    }

    /// Emits the code of all functions of packs, so that coverage knows all statements.
    pub(super) fn emit_functions(&self) {
        for number in 0..self.program().functions.len() {
            if self.program().functions[number].file.is_some() {
                let _ = vm::CodeSource::function(self, u16::try_from(number).unwrap_or(u16::MAX));
            }
        }
    }

    fn emit(
        &self,
        function: &Function,
        pack: usize,
        script: &ScriptId,
        source: Option<&Text>,
        text: &Text,
    ) -> Code {
        let program = self.program();
        let visible = &program.visible[pack];
        let find = |functions: &HashMap<(Text, usize), u16>, name: &str, count: usize| {
            functions.get(&(Text::from(name), count)).copied()
        };
        let intern = |name: &str| program.interned(&self.content, name);
        let language = source.is_none() && matches!(script, ScriptId::File(_));
        let trace = self.trace.get();
        let cover = |at: u32| register(trace.map(Rc::as_ref), script, text, at);
        codegen::code(
            &Environment {
                content: &self.content,
                pack: u16::try_from(pack).unwrap_or(u16::MAX),
                function: &|name, count| {
                    // A language function calls others of the language.
                    let functions = if language { &program.language } else { visible };
                    find(functions, name, count)
                },
                language,
                closure_function: &|name, count| find(&program.language, name, count),
                intern: &intern,
                cover: trace.map(|_| &cover as &dyn Fn(u32) -> u32),
                source: source.cloned(),
                text: text.clone(),
            },
            function,
        )
    }
}

/// Registers a statement for coverage.
fn register(trace: Option<&Trace>, script: &ScriptId, text: &str, at: u32) -> u32 {
    let before = text.get(..at as usize).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    trace.map_or(0, |trace| {
        u32::try_from(trace.register_statement(script, line)).unwrap_or(u32::MAX)
    })
}

impl vm::CodeSource for Scripts {
    fn function(&self, number: u16) -> Rc<Code> {
        let compiled = &self.program().functions[usize::from(number)];
        let emit = || {
            let id = ScriptId::File(compiled.file.as_deref().unwrap_or_default().into());
            Rc::new(self.emit(
                compiled.function(),
                compiled.pack,
                &id,
                compiled.file.as_ref(),
                &compiled.text,
            ))
        };
        compiled.code.get_or_init(emit).clone()
    }

    fn cover(&self, statement: u32) {
        if let Some(trace) = self.trace.get() {
            trace.hit(statement as usize);
        }
    }
}
