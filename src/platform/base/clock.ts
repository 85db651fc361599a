import { readFileSync } from 'node:fs'

/** The source of the current time. Tests use their own clock. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

const READ_EVERY_MS = 50

/** Returns the system's clock, shifted by the milliseconds in a file. The file may change at any time. */
export function shiftedClock(file: string): Clock {
  let shift = 0
  let readAt = 0
  return {
    now() {
      const system = Date.now()
      if (system - readAt >= READ_EVERY_MS) {
        readAt = system
        shift = readShift(file)
      }
      return new Date(system + shift)
    },
  }
}

function readShift(file: string): number {
  const shift = Number(readFileSync(file, 'utf8'))
  if (!Number.isSafeInteger(shift)) throw new Error(`${file} must contain a whole number of milliseconds`)
  return shift
}
