import type { Exercise } from '../exercise.ts'
import { chargeback } from './chargeback.ts'
import { cutOff } from './cut-off.ts'
import { declined } from './declined.ts'
import { forged } from './forged.ts'
import { late } from './late.ts'
import { lateTransfer } from './late-transfer.ts'
import { lostAnswer } from './lost-answer.ts'
import { outOfOrder } from './out-of-order.ts'
import { paid } from './paid.ts'
import { rawBody } from './raw-body.ts'
import { repeated } from './repeated.ts'
import { shortTransfer } from './short-transfer.ts'
import { slow } from './slow.ts'
import { timedOutCharged, timedOutNotCharged } from './timed-out.ts'

/** A server that does not pass it is not asked for more. */
export const firstExercise: Exercise = paid

/** In the order in which they run. */
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
