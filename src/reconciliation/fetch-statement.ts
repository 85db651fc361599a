import type { Connection } from '../channels/protocol.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { StatementLine } from './statement-line.ts'

/** A channel's statement of a day (UTC). One that is not complete is not compared: what it lacks would be a difference. */
export async function fetchStatement(
  { statement }: Pick<Connection, 'statement'>,
  channel: string,
  day: string,
): Promise<StatementLine[]> {
  if (statement === undefined)
    throw new OperatorRefusal(`channel ${channel} sends no statements: give a file`)
  const fetched = await statement(day)
  if (fetched.kind === 'unknown')
    throw new OperatorRefusal(`the statement could not be fetched: ${fetched.why}`)
  return fetched.lines.map((line, at) => ({ ...line, line: at + 1, day }))
}
