import { OperatorRefusal } from '../../errors/catalogue.ts'
import { type MerchantOptions, type OptionTexts, readOptions } from '../../merchants/options.ts'
import { type DomainText, domainText, type FieldText } from '../field-texts.ts'
import { Problem } from '../problem.ts'

/** The options as a form sends them. What breaks a rule is refused at its field. */
export function optionsAtFields(texts: OptionTexts): MerchantOptions {
  const problems = Object.entries(texts).flatMap(([name, text]) => {
    const problem = problemOf(name, text)
    return problem === undefined ? [] : [[name, problem] as const]
  })
  if (problems.length > 0)
    throw new Problem('invalid', 'Check the marked fields.', Object.fromEntries(problems))
  return readOptions(texts)
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
