import type { Operation } from '../operation.ts'
import { payByCard } from './pay-by-card.ts'

export const operations: readonly Operation[] = [payByCard]
