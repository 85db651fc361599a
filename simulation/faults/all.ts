import type { Fault } from '../fault.ts'
import { badCallbacks, badChannels } from './channels.ts'
import { clockJump } from './clock-jump.ts'
import { cutDatabase, lostDatabase, slowDatabase } from './database-connection.ts'
import { diskFull } from './disk-full.ts'
import { freezeNode } from './freeze-node.ts'
import { cutAnswers, cutMerchants, slowFront } from './front.ts'
import { killCounterparties } from './kill-counterparties.ts'
import { killNode } from './kill-node.ts'
import { killPostgres } from './kill-postgres.ts'
import { badMerchants } from './merchants.ts'
import { noConnections } from './no-connections.ts'
import { pausePostgres } from './pause-postgres.ts'
import { replaceNode } from './replace-node.ts'

export const faults: readonly Fault[] = [
  killNode,
  replaceNode,
  freezeNode,
  clockJump,
  killPostgres,
  pausePostgres,
  noConnections,
  diskFull,
  slowDatabase,
  lostDatabase,
  cutDatabase,
  cutAnswers,
  cutMerchants,
  slowFront,
  badChannels,
  badCallbacks,
  badMerchants,
  killCounterparties,
]
