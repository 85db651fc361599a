import { createHash } from 'node:crypto'
import { makeId, merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { type Evidence, type EvidenceFile, insertEvidence } from './sql.ts'

export type NewEvidence = {
  readonly tradeNo: string
  readonly note: string
  readonly file: { readonly name: string; readonly content: Buffer } | undefined
  readonly at: Date
}

const MOST_NOTE = 4_000
const MOST_BYTES = 10 * 1024 * 1024

/** Adds evidence to the order's open chargeback. Of a file, only the name, size and hash are stored. */
export async function addEvidence(db: Db, { tradeNo, note, file, at }: NewEvidence): Promise<Evidence> {
  const length = [...note].length
  if (length < 1 || length > MOST_NOTE) throw new OperatorRefusal(`a note has 1 to ${MOST_NOTE} characters`)
  const merNo = merNoOf(tradeNo)
  const refusal = new OperatorRefusal(`order ${tradeNo} has no open chargeback`)
  if (merNo === undefined) throw refusal
  const evidence = {
    merNo,
    evidenceId: makeId('E', merNo, at),
    tradeNo,
    note,
    file: file && describe(file),
    at,
  }
  await db.transaction(async (tx) => {
    if (!(await insertEvidence(tx, evidence))) throw refusal
  })
  return evidence
}

function describe({ name, content }: { name: string; content: Buffer }): EvidenceFile {
  if (content.length > MOST_BYTES) throw new OperatorRefusal(`${name} is larger than 10 MiB`)
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}
