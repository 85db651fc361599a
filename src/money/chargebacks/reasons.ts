// The reasons of chargebacks, from a reference list that operators maintain.
import type { Queryable } from '../../platform/postgres/db.ts'
import { findItem, readReference } from '../../platform/reference/reference.ts'

const LIST = 'dispute-reasons'

/** Returns the reason in words, or undefined if a new chargeback may not have this reason. */
export async function listedReason(db: Queryable, code: string): Promise<string | undefined> {
  const found = await findItem(db, LIST, code)
  return found?.listed === true ? found.name : undefined
}

/** Returns the reason of an existing chargeback in words, even if operators have removed the reason from the list. */
export async function reasonInWords(db: Queryable, code: string): Promise<string> {
  return (await findItem(db, LIST, code))?.name ?? code
}

/** Reads the list once. The returned function gives a reason in words, for each chargeback of a page. */
export async function readReasons(db: Queryable): Promise<(code: string) => string> {
  const reference = await readReference(db)
  return (code) => reference.find(LIST, code)?.name ?? code
}

/** Returns all reasons that a new chargeback may have. */
export async function listReasons(db: Queryable): Promise<{ code: string; words: string }[]> {
  const reference = await readReference(db)
  return reference.items(LIST).map(({ code, name }) => ({ code, words: name }))
}
