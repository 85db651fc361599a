// The exercises of an exam, in the order in which they run.
import type { Exercise } from '../exercise.ts'
import { forged, rawBody } from '../exercises.ts'
import { cutOff, late, lostAnswer, outOfOrder, repeated, slow } from './deliveries.ts'
import {
  chargeback,
  declined,
  lateTransfer,
  paid,
  shortTransfer,
  timedOutCharged,
  timedOutNotCharged,
} from './results.ts'

/** The other exercises run only if the server passes this one. */
export const firstExercise: Exercise = paid

export const otherExercises: readonly Exercise[] = [
  repeated,
  lostAnswer,
  slow,
  cutOff,
  forged,
  rawBody,
  outOfOrder,
  late,
  declined,
  timedOutCharged,
  timedOutNotCharged,
  shortTransfer,
  lateTransfer,
  chargeback,
]
