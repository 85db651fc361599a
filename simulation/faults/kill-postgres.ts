import type { Fault } from '../fault.ts'

export const killPostgres: Fault = {
  name: 'kill PostgreSQL',
  weight: 2,
  forMs: 1_000,
  async inject({ postgres }) {
    await postgres.kill()
    return () => postgres.start()
  },
}
