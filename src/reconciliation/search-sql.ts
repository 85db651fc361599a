import { containsAnyCase } from '../postgres/any-case.ts'
import type { Queryable } from '../postgres/db.ts'
import type { StoredStatement } from './statement-sql.ts'

const NEWEST_SEARCHED = 1_000

/** Newest first, by part of the file's name. Only the newest are looked through, so that any number is as fast. */
export function searchStatements(
  db: Queryable,
  part: string,
  limit: number,
): Promise<Pick<StoredStatement, 'statementId' | 'channel' | 'fileName'>[]> {
  return db.query({
    text: `
      select statement_id as "statementId", channel, file_name as "fileName" from (
        select statement_id, channel, file_name from channel_statements where mer_no = 0
        order by statement_id desc limit ${NEWEST_SEARCHED}
      ) newest
      where file_name ~ $1
      order by statement_id desc limit $2`,
    values: [containsAnyCase(part), limit],
  })
}
