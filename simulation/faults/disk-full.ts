import type { Fault } from '../fault.ts'

/** PostgreSQL cannot write. It may refuse or crash; once there is space it must run again. */
export const diskFull: Fault = {
  name: 'disk full',
  weight: 2,
  forMs: 2_000,
  unavailable: ({ postgres }) =>
    postgres.disk === undefined ? 'it needs root to mount a file system of its own' : undefined,
  async inject({ postgres }) {
    postgres.disk?.fill()
    return async () => {
      postgres.disk?.free()
      await postgres.start()
    }
  },
}
