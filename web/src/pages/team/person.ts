import type { RowOf } from '../../api/use-call.ts'
import type { Tone } from '../../parts/state-label.tsx'

export type Person = RowOf<'GET /users'>

export const personTones: Readonly<Record<Person['state'], Tone>> = {
  invited: 'waiting',
  active: 'done',
  disabled: 'neutral',
}
