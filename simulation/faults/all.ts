import type { Fault } from '../fault.ts'
import { killNode } from './kill-node.ts'

export const faults: readonly Fault[] = [killNode]
