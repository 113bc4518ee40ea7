//! The attribute `primitives`, which makes a table of the functions of a module.
//!
//! ```ignore
//! #[primitives("objects")]
//! pub mod functions {
//!     use super::*;
//!
//!     /// Raises a counter within its bounds; returns by how much it rose.
//!     #[does(CHANGES)]
//!     pub fn gain(cx: &mut Cx, object: Entity, #[names(Counter)] counter: Text, amount: i64) -> StepResult<i64> {
//!         …
//!     }
//! }
//! ```
//!
//! Each public function becomes a row of the constant `PRIMITIVES` of the module: its name (or the
//! one in `#[name("…")]`), its doc comment, its parameters with their types and what they name, its
//! result, and what it does. A function takes `cx: &mut Cx` first, unless it does not need it.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, FnArg, Ident, Item, ItemFn, ItemMod, Lit, LitStr, Meta, Pat, ReturnType,
    Token, Type, Visibility,
};

/// Makes a table of the public functions of a module. The argument is the topic that lists them.
#[proc_macro_attribute]
pub fn primitives(topic: TokenStream, module: TokenStream) -> TokenStream {
    let topic = syn::parse_macro_input!(topic as LitStr);
    let mut module = syn::parse_macro_input!(module as ItemMod);
    match table(&topic, &mut module) {
        Ok(table) => {
            if let Some((_, items)) = &mut module.content {
                items.push(Item::Verbatim(table));
            }
            quote! {
                #[allow(
                    clippy::needless_pass_by_value,
                    clippy::unnecessary_wraps,
                    reason = "primitives own their arguments, and all of them can fail alike"
                )]
                #module
            }
            .into()
        }
        Err(error) => error.into_compile_error().into(),
    }
}

fn table(topic: &LitStr, module: &mut ItemMod) -> syn::Result<Tokens> {
    let Some((_, items)) = &mut module.content else {
        return Err(syn::Error::new_spanned(
            module,
            "the module must have a body",
        ));
    };
    let mut rows = Vec::new();
    for item in items {
        if let Item::Fn(function) = item
            && matches!(function.vis, Visibility::Public(_))
        {
            rows.push(row(topic, function)?);
        }
    }
    Ok(quote! {
        /// The functions of this topic.
        pub const PRIMITIVES: &[crate::script::primitive::PrimitiveDef] = &[#(#rows),*];
    })
}

/// Takes the attributes with this name out of a list.
fn take(attributes: &mut Vec<Attribute>, name: &str) -> Vec<Attribute> {
    let (taken, left) = attributes
        .drain(..)
        .partition(|attribute| attribute.path().is_ident(name));
    *attributes = left;
    taken
}

fn row(topic: &LitStr, function: &mut ItemFn) -> syn::Result<Tokens> {
    let ident = &function.sig.ident;
    let mut name = ident.to_string();
    for attribute in take(&mut function.attrs, "name") {
        name = attribute.parse_args::<LitStr>()?.value();
    }
    let mut does = Vec::new();
    for attribute in take(&mut function.attrs, "does") {
        does.extend(attribute.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?);
    }
    let page = doc(&function.attrs);
    let (mut parameters, mut names, mut takes) = (Vec::new(), Vec::new(), Vec::new());
    let mut context = Tokens::new();
    let mut changes_receiver = false;
    for (ix, input) in function.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(argument) = input else {
            return Err(syn::Error::new_spanned(input, "a primitive has no `self`"));
        };
        let Pat::Ident(pattern) = &*argument.pat else {
            return Err(syn::Error::new_spanned(
                &argument.pat,
                "a parameter needs a name",
            ));
        };
        if ix == 0 && pattern.ident == "cx" {
            context = quote!(cx,);
            continue;
        }
        let (ty, reference) = match &*argument.ty {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (&*reference.elem, true)
            }
            other => (other, false),
        };
        changes_receiver |= reference;
        let parameter = pattern.ident.to_string();
        let parameter = parameter.trim_start_matches('_');
        let mut role = quote!(crate::script::primitive::Role::Plain);
        for attribute in take(&mut argument.attrs, "names") {
            let kind: Ident = attribute.parse_args()?;
            role = quote!(crate::script::primitive::Role::Name(crate::script::primitive::NameKind::#kind));
        }
        for _ in take(&mut argument.attrs, "word") {
            role = quote!(crate::script::primitive::Role::Word);
        }
        for _ in take(&mut argument.attrs, "shown") {
            role = quote!(crate::script::primitive::Role::Shown);
        }
        for attribute in take(&mut argument.attrs, "keys") {
            let keys =
                attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
            let mut rows = Vec::new();
            for key in keys {
                let pair = key.require_name_value()?;
                let name = pair.path.require_ident()?.to_string();
                let kind = &pair.value;
                rows.push(quote!((#name, crate::script::primitive::NameKind::#kind)));
            }
            role = quote!(crate::script::primitive::Role::Keys(&[#(#rows),*]));
        }
        parameters.push(quote! {
            crate::script::primitive::Parameter {
                name: #parameter,
                types: <#ty as crate::script::primitive::Argument>::TYPES,
                role: #role,
            }
        });
        let local = Ident::new(&format!("a{}", names.len()), pattern.ident.span());
        takes.push(if reference {
            quote! {
                let Some(#local) = arguments.next().and_then(<#ty as crate::script::primitive::Argument>::borrow) else {
                    return Err(crate::script::primitive::mismatch(cx));
                };
            }
        } else {
            quote! {
                let Some(#local) = arguments.next().and_then(<#ty as crate::script::primitive::Argument>::take) else {
                    return Err(crate::script::primitive::mismatch(cx));
                };
            }
        });
        names.push(local);
    }
    let result = match &function.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => quote!(#ty),
    };
    Ok(quote! {
        crate::script::primitive::PrimitiveDef {
            name: #name,
            topic: #topic,
            page: #page,
            parameters: &[#(#parameters),*],
            result: <#result as crate::script::primitive::IntoResult>::TYPES,
            does: crate::script::primitive::SideEffects::NOTHING #(.and(crate::script::primitive::SideEffects::#does))*,
            changes_receiver: #changes_receiver,
            run: |cx, arguments| {
                let mut arguments = arguments.iter_mut();
                #(#takes)*
                crate::script::primitive::IntoResult::into_result(#ident(#context #(#names),*))
            },
        }
    })
}

/// The text of a doc comment.
fn doc(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let lines: Vec<String> = attributes
        .iter()
        .filter_map(line)
        .map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned())
        .collect();
    lines.join("\n")
}
