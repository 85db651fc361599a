// The words that common passwords are made of. Lists of leaked passwords repeat them with digits, dates and signs around
// them; the rules beside this file undo those, so a short list covers many thousand passwords.

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

export const commonWords: ReadonlySet<string> = new Set(words)

/** Rows of keyboards and of the alphabet, which people walk along. */
export const walks: readonly string[] = [
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
