// The reasons of chargebacks are a reference list, which operators change.
import type { Queryable } from '../postgres/db.ts'
import { findItem } from '../reference/read-list.ts'
import { readReference } from '../reference/reference.ts'

const LIST = 'dispute-reasons'

/** Undefined if a new chargeback may not have it. */
export async function listedReason(db: Queryable, code: string): Promise<string | undefined> {
  const found = await findItem(db, LIST, code)
  return found?.listed === true ? found.name : undefined
}

/** Of a chargeback that exists: its reason may have been removed since. */
export async function reasonInWords(db: Queryable, code: string): Promise<string> {
  return (await findItem(db, LIST, code))?.name ?? code
}

/** For a page of chargebacks. */
export async function readReasons(db: Queryable): Promise<(code: string) => string> {
  const reference = await readReference(db)
  return (code) => reference.find(LIST, code)?.name ?? code
}

/** All that a new chargeback may have. */
export async function listReasons(db: Queryable): Promise<{ code: string; words: string }[]> {
  const reference = await readReference(db)
  return reference.items(LIST).map(({ code, name }) => ({ code, words: name }))
}
