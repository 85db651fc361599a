// Refuses short passwords, and the passwords that guessing programs try first: words and names with digits around them,
// keyboard rows, repetitions, and facts that are known about the person.
import type { FieldText } from '../../platform/errors/page-texts.ts'
import { atField } from '../../platform/errors/problem.ts'

const SHORTEST = 10

/** Refuses a weak password. `known` are texts that others know about the person: the address, the name, the company. */
export function checkPassword(password: string, known: readonly string[]): void {
  const advice = adviceOn(password, known)
  if (advice !== undefined) throw atField('password', advice)
}

export function adviceOn(password: string, known: readonly string[] = []): FieldText | undefined {
  const text = password.normalize('NFKC').toLowerCase()
  if ([...text].length < SHORTEST) return `Choose a password of at least ${SHORTEST} characters.`
  if (new Set(text).size < 5 || isWalk(text) || isRepeated(text))
    return 'This password is a pattern that is easily guessed. Choose another one.'
  if (/^[\d\W_]+$/.test(text) && /^[\x20-\x7e]+$/.test(text) && text.length < 16)
    return 'Digits alone are easily guessed. Add words.'
  if (isMadeOf(text, [...commonWords, ...known.flatMap(partsOf)]))
    return 'This password is one of the first that are tried. Add a word that nobody connects with you.'
  return undefined
}

function isRepeated(text: string): boolean {
  return /^(.{1,6})\1+.?$/u.test(text)
}

/** True if at least 3/4 of the adjacent pairs are equal characters, or neighbours on a keyboard or in the alphabet. */
function isWalk(text: string): boolean {
  const pairs = [...text].slice(1).map((character, at) => `${text[at]}${character}`)
  const steps = pairs.filter((pair) => {
    const [from = '', to = ''] = pair
    return from === to || walks.some((walk) => walk.includes(pair) || walk.includes(`${to}${from}`))
  })
  return steps.length * 4 >= pairs.length * 3
}

/**
 * Returns the parts of a text that others know about the person. A password must not consist of such parts. Parts of
 * one or two characters are left out, because they would forbid too much.
 */
function partsOf(known: string): string[] {
  return known
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= 3)
}

const spellings: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}

/**
 * True if the text consists only of these words. Digits and signs are ignored around and between words, and may replace
 * letters.
 */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const known = new Set(words)
  const trimmed = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const letters = (from: string) => [...from].map((one) => spellings[one] ?? one).join('')
  const plain = [text, trimmed].flatMap((one) => [one, letters(one)])
  return plain.map((one) => one.replace(/[^\p{L}]/gu, '')).some((one) => one !== '' && splits(one, known))
}

function splits(text: string, words: ReadonlySet<string>): boolean {
  const reached = new Set([0])
  for (let end = 1; end <= text.length; end++)
    for (const start of [...reached]) if (words.has(text.slice(start, end))) reached.add(end)
  return reached.has(text.length)
}

// Leaked passwords are mostly these words with digits and signs. The rules above ignore digits and signs, so this list
// covers many thousand passwords.

const words = `
a an the my me you your we us i am is it in on of and to for one two im ur
password passwort passw passwd parola senha contrasena motdepasse mima pass word code login access secret private key
admin administrator root user guest test testing demo example sample default master super system server database
office company business account payment money bank cash dollar euro bitcoin paypal visa card credit shop store
welcome hello hallo hola bonjour hi hey goodbye please thanks letmein open sesame enter changeme change temp temporary
qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcv zxcvbnm qaz wsx edc qazwsx qazwsxedc abc abcd abcdef abcdefg
iloveyou ilove love loveyou lover lovely baby babygirl babyboy honey sweet sweetheart darling angel princess prince queen
king sunshine moonlight starlight star moon sun sky blue red green black white orange purple yellow pink silver gold golden
rainbow flower butterfly summer winter spring autumn fall january february march april may june july august september
october november december monday tuesday wednesday thursday friday saturday sunday morning night today tomorrow
football soccer baseball basketball hockey tennis golf rugby cricket sport sports player game games gamer
dragon monkey tiger lion eagle shadow wolf bear cat dog puppy kitty kitten horse dolphin bird fish panda phoenix unicorn
superman batman spiderman ironman pokemon pikachu naruto starwars matrix ninja samurai warrior hunter killer
michael jordan daniel thomas robert charlie jessica jennifer michelle ashley nicole andrew anthony matthew joshua george
william maria anna david john james peter paul alex max sam jack harry ginger maggie buster bailey
liverpool chelsea arsenal manchester barcelona madrid juventus yankees lakers cowboys steelers
london paris berlin america american england canada mexico brasil brazil china beijing shanghai india tokyo texas
google facebook apple microsoft windows linux samsung android iphone internet computer laptop network security
freedom forever family friend friends happy lucky cool crazy sexy cookie chocolate coffee cheese banana cherry peach
pepper ginger music guitar rock metal jesus christ god heaven hell devil blessed faith trust hope peace
whatever nothing something anything everything nobody somebody
woaini wo ai ni aini zhongguo nihao mima woshi wode
hunter trustno mustang ferrari porsche mercedes corvette harley yamaha honda toyota bmw audi
tollgate gateway merchant operator backoffice
`
  .split(/\s+/)
  .filter((word) => word !== '')

const commonWords: ReadonlySet<string> = new Set(words)

/** Rows of keys and letters that people type in order. */
const walks: readonly string[] = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujmikolp',
]
