// The characters that every bank of SEPA accepts.

const foreign: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'Th',
  þ: 'th',
  ı: 'i',
  '’': "'",
  '–': '-',
  _: '-',
  '&': '+',
}

/** Accents are dropped, other characters become spaces. '' if no letter or digit is left. */
export function sepaText(text: string, maxLength: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[_&]/gu, (character) => foreign[character] ?? ' ')
    .replace(/[^a-zA-Z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim()
  return /[a-zA-Z0-9]/.test(plain) ? plain : ''
}
