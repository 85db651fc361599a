import { acceptanceBugs } from './acceptance.ts'
import { bookBugs } from './books.ts'
import type { Bug } from './bug.ts'
import { callBugs } from './calls.ts'
import { decisionBugs } from './decisions.ts'
import { moneyBugs } from './money.ts'
import { notificationBugs } from './notifications.ts'
import { outcomeBugs } from './outcomes.ts'
import { resourceBugs } from './resources.ts'
import { returnBugs } from './returns.ts'

export const bugs: readonly Bug[] = [
  ...acceptanceBugs,
  ...callBugs,
  ...outcomeBugs,
  ...moneyBugs,
  ...returnBugs,
  ...decisionBugs,
  ...bookBugs,
  ...notificationBugs,
  ...resourceBugs,
]
