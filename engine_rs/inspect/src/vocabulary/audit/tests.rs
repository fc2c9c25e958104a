//! Small vocabularies over every short text: what the audit rules out never comes, and what it leaves open is little.

use super::*;
use token_engine::formats::definition::ModelDefinition;
use token_engine::formats::tiktoken;
use token_engine::internals::testing::Random;
use token_engine::models::bpe::characters;
use token_engine::models::{unigram, wordpiece};
use token_engine::normalizers::Normalizer;
use token_engine::normalizers::bert::BertNormalizer;
use token_engine::pretokenizers::Pretokenizer;
use token_engine::pretokenizers::scanners::Pattern;
use token_engine::{Definition, Vocab};

/// All texts of up to `longest` of these characters.
fn every_text(letters: &[char], longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|text| letters.iter().map(move |c| format!("{text}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Audits, and looks for what is ruled out in the encodings of `texts`. Returns how many tokens are undecided.
fn hunt(definition: Definition, texts: &[String], about: &str) -> usize {
    let tokenizer = definition.build(about).expect("complete");
    let index = Index::new(&tokenizer);
    let audit = Audit::new(&tokenizer, &index).expect("nobody cancels");
    for text in texts {
        for id in tokenizer.encode_ids(text, Specials::Parse).unwrap_or_default() {
            let (reason, _) = audit.finding(index.row_number(id).expect("an id of the vocabulary"));
            assert_ne!(reason.verdict(), Verdict::Unreachable, "{about}: {text:?} gives {id}, ruled out as {reason:?}");
        }
    }
    for (at, row) in index.rows().iter().enumerate() {
        if let (_, Some(text)) = audit.finding(at) {
            assert!(gives(&tokenizer, row.id, text), "{about}: {text:?} does not give {}", row.id);
        }
    }
    audit.verdicts().iter().filter(|&&verdict| verdict == Verdict::Undecided).count()
}

fn token(random: &mut Random, letters: &[char], longest: usize) -> String {
    (0..1 + random.below(longest)).map(|_| *random.pick(letters)).collect()
}

#[test]
fn rank_files_over_every_short_text() {
    let letters = ['a', 'b', ' ', '\'', 's', '1'];
    let texts = every_text(&letters, 5);
    for (seed, pattern) in (0..3).zip([Pattern::R50k, Pattern::Cl100k, Pattern::O200k].into_iter().cycle()) {
        let mut random = Random::new(seed);
        let mut vocab = Vocab::default();
        for byte in 0..=255u8 {
            vocab.insert(byte.into(), &[byte]).expect("all bytes differ");
        }
        for _ in 0..30 {
            let id = vocab.id_bound() as Id;
            let _twin = vocab.insert(id, token(&mut random, &letters, 4).as_bytes());
        }
        let definition = tiktoken::from_ranks(vocab, pattern, &[("<s>".to_owned(), 500)]);
        let undecided = hunt(definition, &texts, &format!("seed {seed}, {pattern:?}"));
        assert!(undecided <= 6, "seed {seed}: {undecided} undecided");
    }
}

#[test]
fn merges_of_characters_over_every_short_text() {
    let letters = ['a', 'b', 'c', '日'];
    let texts = every_text(&letters, 6);
    for seed in 0..24 {
        let mut random = Random::new(seed + 100);
        let mut vocab = Vocab::default();
        for (id, token) in ["?", "a", "b", "c", "<0xE6>", "<0x97>", "<0xA5>", "<0x61>"].iter().enumerate() {
            vocab.insert(id as Id, token.as_bytes()).expect("each once");
        }
        let mut known = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let mut merges = vec![];
        for _ in 0..20 {
            let (left, right) = (random.pick(&known).clone(), random.pick(&known).clone());
            let made = format!("{left}{right}");
            let id = vocab.id(made.as_bytes()).unwrap_or(vocab.id_bound() as Id);
            if made.len() > 5 || vocab.insert(id, made.as_bytes()).is_err() {
                continue;
            }
            let part = |text: &str| vocab.id(text.as_bytes()).expect("known");
            merges.push([part(&left), part(&right), id]);
            known.push(made);
        }
        let settings = characters::Settings {
            unknown: Some(token_engine::models::Unknown::Token(0)),
            byte_fallback: seed % 2 == 0,
            ignore_merges: seed % 3 == 0,
            ..characters::Settings::default()
        };
        // An entry that no merge makes.
        let _twin = vocab.insert(vocab.id_bound() as Id, b"cab");
        let definition = Definition::new(ModelDefinition::Bpe { vocab, merges, settings });
        hunt(definition, &texts, &format!("seed {seed}"));
    }
}

#[test]
fn unigram_over_every_short_text() {
    let letters = ['a', 'b', 'c'];
    let texts = every_text(&letters, 8);
    for seed in 0..24 {
        let mut random = Random::new(seed + 200);
        let mut vocab = Vocab::default();
        let mut scores = vec![0.0];
        vocab.insert(0, b"?").expect("the first");
        for _ in 0..20 {
            let token = token(&mut random, &letters, 4);
            if vocab.insert(vocab.id_bound() as Id, token.as_bytes()).is_ok() {
                scores.push(-(random.below(600) as f64) / 100.0);
            }
        }
        let settings = unigram::Settings { unknown: Some(0), byte_fallback: false };
        let definition = Definition::new(ModelDefinition::Unigram { vocab, scores, settings });
        let undecided = hunt(definition, &texts, &format!("seed {seed}"));
        assert!(undecided <= 1, "seed {seed}: {undecided} undecided");
    }
}

#[test]
fn words_over_every_short_text() {
    let letters = ['a', 'B', 'é', '.', '中', ' '];
    let texts = every_text(&letters, 5);
    for seed in 0..2 {
        let mut random = Random::new(seed + 300);
        let mut vocab = Vocab::default();
        vocab.insert(0, b"[UNK]").expect("the first");
        for _ in 0..30 {
            let prefix = if random.below(2) == 0 { "##" } else { "" };
            let token = format!("{prefix}{}", token(&mut random, &['a', 'b', 'B', 'e', 'é', '.', '中'], 3));
            let _twin = vocab.insert(vocab.id_bound() as Id, token.as_bytes());
        }
        let normalizer = if seed % 2 == 0 { BertNormalizer::UNCASED } else { BertNormalizer::CASED };
        let settings = wordpiece::Settings { max_chars: 3, ..wordpiece::Settings::bert(0) };
        let definition = Definition {
            normalizer: Some(Normalizer::Bert(normalizer)),
            pretokenizer: Some(Pretokenizer::Bert),
            ..Definition::new(ModelDefinition::WordPiece { vocab, settings })
        };
        hunt(definition, &texts, &format!("seed {seed}"));
    }
}
