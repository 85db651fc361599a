import { OperatorRefusal } from '../../errors/catalogue.ts'
import { type MerchantOptions, type OptionTexts, readOptions } from '../../merchants/options.ts'
import { type DomainText, domainText, type FieldText } from '../field-texts.ts'
import { Problem } from '../problem.ts'

/** As a form sends them: the logo in base64. */
export type SentOptions = Omit<OptionTexts, 'logo'> & { readonly logo?: string | undefined }

/** What breaks a rule is refused at its field. */
export function optionsAtFields({ logo, ...others }: SentOptions): MerchantOptions {
  const texts: OptionTexts = { ...others, logo: logo === undefined ? undefined : readFile(logo) }
  const problems = Object.entries(texts).flatMap(([name, text]) => {
    const problem = problemOf(name, text)
    return problem === undefined ? [] : [[name, problem] as const]
  })
  if (problems.length > 0)
    throw new Problem('invalid', 'Check the marked fields.', Object.fromEntries(problems))
  return readOptions(texts)
}

function readFile(logo: string): Buffer | 'none' {
  return logo === 'none' ? 'none' : Buffer.from(logo, 'base64')
}

function problemOf(name: string, text: unknown): FieldText | DomainText | undefined {
  try {
    readOptions({ [name]: text })
    return undefined
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error
    if (text === '') return 'Enter a value.'
    // Commands name their option.
    return domainText(error.message.replace(/^--\S+/, 'it'))
  }
}
