// Every attack by its name, as the report shows it.
import type { Attack } from '../attack.ts'
import { dribblingMerchants } from './dribbling-merchants.ts'
import { manyElements, manyNames } from './large-json.ts'
import { oneLink } from './one-link.ts'
import { endlessBodies, unreadAnswers } from './stalled-connections.ts'
import { tinyParts } from './tiny-parts.ts'
import { wrongSignatures } from './wrong-signatures.ts'

export const attacks = {
  'uploads of tiny parts, 4 clients': tinyParts,
  'a megabyte of list elements, 4 clients': manyElements,
  'a megabyte of names, 4 clients': manyNames,
  "one payer's link, 600 callers": oneLink,
  'bodies that never end, 150 connections': endlessBodies,
  'responses that are never read, 150 connections': unreadAnswers,
  'merchants that dribble, 10 servers': dribblingMerchants,
  'wrong signatures, 4 clients': wrongSignatures,
} as const satisfies Readonly<Record<string, Attack>>

export type AttackName = keyof typeof attacks

export const attackNames = Object.keys(attacks).filter(isAttack)

export function isAttack(name: string): name is AttackName {
  return name in attacks
}
