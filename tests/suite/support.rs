//! Helpers for the test modules: trials, scratch folders and the binary under test.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fs;
use std::io::Read as _;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::thread;

use libtest_mimic::{Failed, Trial};

/// The path of the binary under test.
pub const KAER: &str = env!("CARGO_BIN_EXE_kaer");

/// Creates a trial for each function, named after its module and the function.
macro_rules! trials {
    ($($name:ident),* $(,)?) => {
        vec![$($crate::support::trial(module_path!(), stringify!($name), $name)),*]
    };
}
pub(crate) use trials;

thread_local! {
    static IN_TRIAL: Cell<bool> = const { Cell::new(false) };
    /// The message of the last panic on this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Captures panic messages so that each is reported with its trial.
pub fn capture_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // Threads that a trial starts print their panics themselves: nothing else would.
        if IN_TRIAL.get() {
            PANIC.set(Some(info.to_string()));
        } else {
            print(info);
        }
    }));
}

/// Creates a trial called `module::name` that fails if `run` panics.
///
/// Its snapshots are in `tests/snapshots`, without the module as a prefix.
pub fn trial(module: &str, name: &str, run: impl FnOnce() + Send + 'static) -> Trial {
    let module = module.strip_prefix("suite::").unwrap_or(module);
    Trial::test(format!("{module}::{name}"), move || {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../snapshots");
        settings.set_prepend_module_to_snapshot(false);
        PANIC.take();
        IN_TRIAL.set(true);
        let result = panic::catch_unwind(AssertUnwindSafe(|| settings.bind(run)));
        IN_TRIAL.set(false);
        result.map_err(|payload| {
            Failed::from(PANIC.take().unwrap_or_else(|| panic_message(&*payload)))
        })
    })
}

/// The message of a panic.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("panic without a message")
        .to_owned()
}

/// Whether to update generated files: `INSTA_UPDATE=always`, as for snapshots.
pub fn updating() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always")
}

/// Replaces a file atomically, because other trials may read it at the same time.
pub fn replace(path: &Path, text: &str) {
    let temporary = path.with_extension("new");
    fs::write(&temporary, text).unwrap();
    fs::rename(temporary, path).unwrap();
}

/// Creates an empty folder below `target/tmp`.
pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Copies a folder recursively.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in dir_entries(from) {
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(path, target).unwrap();
        }
    }
}

/// The files and folders in a folder, sorted; empty if the folder does not exist.
pub fn dir_entries(folder: &Path) -> Vec<PathBuf> {
    let items = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = items.map(|item| item.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The `.toml` files in a folder, sorted.
pub fn toml_files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = dir_entries(folder);
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "toml"));
    paths
}

/// The name of a file without its folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// The pack folders in a folder, sorted.
pub fn packs_in(folder: &str) -> Vec<PathBuf> {
    let mut paths = dir_entries(Path::new(folder));
    paths.retain(|path| path.join("pack.toml").is_file());
    paths
}

/// Collects the output of a program in a background thread.
pub fn collect_output(child: &mut Child) -> Arc<Mutex<String>> {
    let printed = Arc::new(Mutex::new(String::new()));
    let (mut out, copy) = (child.stdout.take().unwrap(), printed.clone());
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = out.read(&mut bytes) {
            copy.lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    });
    printed
}
