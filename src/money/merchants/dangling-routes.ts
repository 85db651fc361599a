import type { Queryable } from '../../platform/postgres/db.ts'
import { routeProblem, type Served } from '../../rails/routing/served.ts'
import { selectRoutes } from './sql.ts'

export type DanglingRoute = {
  readonly merNo: number
  readonly method: string
  readonly channel: string
  readonly why: string
}

/** Lists routes whose channel no longer serves the method. A method that has only such routes takes no payments. */
export async function listDanglingRoutes(db: Queryable, served: Served): Promise<DanglingRoute[]> {
  return (await selectRoutes(db)).flatMap(({ mer_no, method, channel }) => {
    const why = routeProblem({ method, channel }, served)
    return why === undefined ? [] : [{ merNo: Number(mer_no), method, channel, why }]
  })
}

/** Describes the first dangling route and how to remedy it. Undefined if there is no dangling route. */
export function aboutDangling([first, ...others]: readonly DanglingRoute[]) {
  if (first === undefined) return undefined
  const { merNo, method, channel, why } = first
  const more = others.length === 0 ? '' : `; there are ${others.length} more such routes`
  return {
    found: `merchant ${merNo} has a route for ${method} to ${channel}, but ${why}${more}`,
    todo: `run "merchant route ${merNo} --method ${method} --channel ${channel} --off", or let the channel serve it again`,
  }
}
