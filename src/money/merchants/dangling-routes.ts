import { routeProblem, type Served } from '../channels/served.ts'
import type { Queryable } from '../postgres/db.ts'
import { selectRoutes } from './route-sql.ts'

export type DanglingRoute = {
  readonly merNo: number
  readonly method: string
  readonly channel: string
  readonly why: string
}

/** Routes that lead nowhere since their channel left the file or serves less. A method without another route takes no payments. */
export async function listDanglingRoutes(db: Queryable, served: Served): Promise<DanglingRoute[]> {
  return (await selectRoutes(db)).flatMap(({ mer_no, method, channel }) => {
    const why = routeProblem({ method, channel }, served)
    return why === undefined ? [] : [{ merNo: Number(mer_no), method, channel, why }]
  })
}

/** The first of them in words, and what to do about it. */
export function aboutDangling([first, ...others]: readonly DanglingRoute[]) {
  if (first === undefined) return undefined
  const { merNo, method, channel, why } = first
  const more = others.length === 0 ? '' : `; there are ${others.length} more such routes`
  return {
    found: `merchant ${merNo} has a route for ${method} to ${channel}, but ${why}${more}`,
    todo: `run "merchant route ${merNo} --method ${method} --channel ${channel} --off", or let the channel serve it again`,
  }
}
