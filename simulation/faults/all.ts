import type { Fault } from '../fault.ts'
import { badCallbacks, badChannels, killCounterparties } from './channels.ts'
import { cutDatabase, lateDatabase, lostDatabase, slowDatabase } from './database-connection.ts'
import { badMerchants, cutAnswers, cutMerchants, slowFront } from './merchants.ts'
import { clockJump, freezeAfterClaim, freezeNode, killNode, replaceNode } from './nodes.ts'
import { diskFull, killPostgres, longTransaction, noConnections, pausePostgres } from './postgres.ts'

export const faults: readonly Fault[] = [
  killNode,
  replaceNode,
  freezeNode,
  freezeAfterClaim,
  clockJump,
  killPostgres,
  pausePostgres,
  noConnections,
  longTransaction,
  diskFull,
  slowDatabase,
  lostDatabase,
  lateDatabase,
  cutDatabase,
  cutAnswers,
  cutMerchants,
  slowFront,
  badChannels,
  badCallbacks,
  badMerchants,
  killCounterparties,
]
