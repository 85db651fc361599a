import { Refusal, type RefusalCode } from '../errors/catalogue.ts'
import { atField } from './problem.ts'

/** A refusal of the merchant interface with one of these codes is about this field. */
export async function refusalAt<Result>(
  field: string,
  codes: readonly RefusalCode[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || !codes.includes(error.code)) throw error
    throw atField(field, { domain: error.message })
  }
}
