import { createHash } from 'node:crypto'
import { makeId, merNoOf } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Evidence, type EvidenceFile, evidenceContext } from './chargeback.ts'
import { insertEvidence } from './sql.ts'

export type NewEvidence = {
  readonly tradeNo: string
  readonly note: string
  readonly file: { readonly name: string; readonly content: Buffer } | undefined
  readonly by: string
  readonly at: Date
}

const MOST_NOTE = 4_000
const MOST_BYTES = 10 * 1024 * 1024

/** Adds evidence to the order's open chargeback or inquiry. The file is encrypted with the id of its row as context. */
export async function addEvidence(
  { db, vault }: { readonly db: Db; readonly vault: Vault },
  { tradeNo, note, file, by, at }: NewEvidence,
): Promise<Evidence> {
  const length = [...note].length
  if (length < 1 || length > MOST_NOTE)
    throw new OperatorRefusal(`a note has 1 to ${MOST_NOTE} characters`, 'note')
  const merNo = merNoOf(tradeNo)
  const refusal = new OperatorRefusal(`order ${tradeNo} has no open chargeback`)
  if (merNo === undefined) throw refusal
  const evidenceId = makeId('E', merNo, at)
  const evidence = { merNo, evidenceId, tradeNo, note, file: file && describe(file), by, at }
  const sealed = file && vault.seal(file.content, evidenceContext(evidenceId))
  // The deadline is not checked. Late evidence is stored too, because the channel may still accept it: the operator
  // finds out.
  await db.transaction(async (tx) => {
    if (!(await insertEvidence(tx, evidence, sealed))) throw refusal
  })
  return evidence
}

function describe({ name, content }: { name: string; content: Buffer }): EvidenceFile {
  if (content.length > MOST_BYTES) throw new OperatorRefusal(`${name} is larger than 10 MiB`)
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}
