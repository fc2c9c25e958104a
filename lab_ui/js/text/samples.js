/** Texts to begin with, each for something that tokenizers treat differently. The first is the text of a new lab. */
export const SAMPLES = [
  {
    id: 'first',
    label: 'English + Japanese',
    text: "Tokenization isn't neutral: unaffordable words fall apart.\n東京の寿司は高い。",
  },
  {
    id: 'code',
    label: 'Code',
    text: 'def fibonacci(n: int) -> list[int]:\n    """First n Fibonacci numbers."""\n    a, b = 0, 1\n    out = []\n    while len(out) < n:\n        out.append(a)\n        a, b = b, a + b\n    return out\n\nassert fibonacci(10)[-1] == 34  # 0-based',
  },
  {
    id: 'numbers',
    label: 'Numbers',
    text: '3.14159265358979 1,000,000 2048 65536 1e-10 0xFF 192.168.0.1 2024-02-29\n7 77 777 7777 77777 777777 7777777\n12+34=46, 123*456=56088',
  },
  {
    id: 'emoji',
    label: 'Emoji',
    text: '👩‍🔬 👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇯🇵🇩🇪 ❤️ 🤷🏾‍♀️ 1️⃣\nGood morning ☀️, see you at 5 😀😃😄!!!',
  },
  {
    id: 'english',
    label: 'English',
    text: "The quick brown fox doesn't jump over the lazy dog's unbelievably uninteresting antidisestablishmentarianism.\nIt was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.",
  },
  {
    id: 'hindi',
    label: 'Hindi',
    text: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।\nउन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।',
  },
  {
    id: 'japanese',
    label: 'Japanese',
    text: '吾輩は猫である。名前はまだ無い。\nどこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。',
  },
  {
    id: 'arabic',
    label: 'Arabic',
    text: 'يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.\nوقد وهبوا عقلًا وضميرًا، وعليهم أن يعامل بعضهم بعضًا بروح الإخاء (GPT-2, 1948).',
  },
  {
    id: 'whitespace',
    label: 'Whitespace',
    text: 'one two  three   four    eight        \n\tone tab\n\t\ttwo tabs\n\n\nthree line breaks above; a no-break\u00a0space and an ideographic\u3000one',
  },
  {
    id: 'mixed',
    label: 'Mixed',
    text: "Tokenization isn't neutral: a 2048-token window holds 9,200 characters\nof English, but only 1,900 of 日本語, because 東京都 falls apart into bytes.\ndef naïve_café(x):    return x ** 2   # unaffordable\nStraßenbahnhaltestelle · नमस्ते दुनिया · 👩‍🔬 met 🇯🇵\nمرحبا بالعالم، هذه جملة قصيرة.",
  },
];

/**
 * Finds the sample that a text is. A long text is not read.
 * @param {{length: number, toString: () => string}} doc
 * @returns {(typeof SAMPLES)[number]|undefined}
 */
export function sampleOf(doc) {
  const alike = SAMPLES.filter(({ text }) => text.length === doc.length);
  if (!alike.length) return undefined;
  const whole = doc.toString();
  return alike.find(({ text }) => text === whole);
}
