import type { Fault } from '../fault.ts'

export const pausePostgres: Fault = {
  name: 'pause PostgreSQL',
  weight: 4,
  forMs: 3_000,
  async inject({ postgres }) {
    postgres.pause()
    return () => postgres.resume()
  },
}
