//! The embedded tables against the rank files that the engine writes of them and reads again.

#[path = "../src/builtin.rs"]
mod builtin;

use token_engine::formats::tiktoken;
use token_engine::models::Model;
use token_engine::models::bpe::Bpe;
use token_engine::tokenizer::Tokenizer;

fn bpe(tokenizer: &Tokenizer) -> &Bpe {
    match tokenizer.model() {
        Model::ByteBpe(model) => model.bpe(),
        _ => panic!("rank files are byte-level"),
    }
}

/// Left, right and rank of all merges.
fn merges(tokenizer: &Tokenizer) -> Vec<(u32, u32, u32)> {
    let mut merges: Vec<_> = bpe(tokenizer).merges().iter().collect();
    merges.sort_unstable();
    merges
}

#[test]
fn embedded_tables_are_what_the_rank_files_say() {
    for table in &builtin::TABLES {
        let name = table.name;
        let (embedded, definition) = builtin::load(name).expect("embedded");
        let ranks = tiktoken::write(&definition).expect("a rank file");
        let special_tokens: Vec<_> =
            definition.added_tokens.iter().map(|token| (token.content.clone(), token.id)).collect();
        let pattern = definition.pretokenizer.clone().expect("a split pattern");
        let read = tiktoken::read(name, &ranks, pattern, &special_tokens).expect("well formed");
        assert!(read == definition, "{name}: the definition");
        let parsed = read.build(name).expect("complete");
        assert!(embedded.vocab() == parsed.vocab(), "{name}: the tokens");
        assert!(merges(&embedded) == merges(&parsed), "{name}: the merges");
        for id in 0..parsed.vocab().id_bound() as u32 {
            assert_eq!(embedded.rank(id), parsed.rank(id), "{name}: the rank of token {id}");
            assert_eq!(bpe(&embedded).is_built(id), bpe(&parsed).is_built(id), "{name}: token {id}");
        }
    }
}

#[test]
fn an_unknown_name_is_told_with_the_known_ones() {
    let error = builtin::load("gpt5").err().expect("is not built in").to_string();
    assert!(error.contains("is not built in") && error.contains("gpt2"), "{error}");
}
