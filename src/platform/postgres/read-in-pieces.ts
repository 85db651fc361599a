// Reads a result of any length in pieces with a cursor. A transaction can have only one such cursor open.
import type { Statement, Tx } from './db.ts'

const PIECE = 1_000

export async function* readInPieces<Row extends Record<string, unknown>>(
  tx: Tx,
  { text, values = [] }: Statement,
): AsyncGenerator<Row[]> {
  await tx.query({ text: `declare pieces no scroll cursor for ${text}`, values })
  for (;;) {
    const rows = await tx.query<Row>({ text: `fetch ${PIECE} from pieces` })
    if (rows.length === 0) break
    yield rows
  }
  await tx.query({ text: 'close pieces' })
}
