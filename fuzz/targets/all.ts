// Every target. A file has one target, or a few of one kind.
import type { Target } from '../input.ts'
import type { KnownOrders } from '../known-orders.ts'
import type { World } from '../world.ts'
import { openCallbacks } from './callbacks.ts'
import { openChannelAnswers } from './channel-answers.ts'
import { openHttp } from './http.ts'
import { openMerchantApi } from './merchant-api.ts'
import { openNotificationAnswers } from './notification-answers.ts'
import { openPages } from './pages.ts'
import { openBodies, openUploads } from './parsers/bodies.ts'
import { openEmv } from './parsers/emv.ts'
import { openRequestHeads, openResponses } from './parsers/messages.ts'
import { openValues } from './parsers/values.ts'
import { openAppleTokens, openGoogleTokens } from './parsers/wallet-tokens.ts'
import { openStatements } from './statements.ts'

export type OpenTarget = (world: World, orders: KnownOrders) => Promise<Target>

/** The order matters: later targets refer to orders that earlier targets have made. */
export const targets: readonly OpenTarget[] = [
  openMerchantApi,
  openHttp,
  openPages,
  openCallbacks,
  openNotificationAnswers,
  openChannelAnswers,
  openStatements,
  openBodies,
  openUploads,
  openRequestHeads,
  openResponses,
  openEmv,
  openGoogleTokens,
  openAppleTokens,
  openValues,
]
