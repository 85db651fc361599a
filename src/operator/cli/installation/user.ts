import {
  createByCommand,
  disableByCommand,
  listByCommand,
  resetFactorByCommand,
  type Whom,
} from '../../../people/registration/command-users.ts'
import type { Call, Command, Option } from '../command.ts'
import { commandActor } from '../shared/actor.ts'
import { columns } from '../shared/print.ts'
import { givenMerNo } from '../shared/show-merchant.ts'

const email: Option = { value: 'E', required: true, help: "the person's e-mail address" }
const merno: Option = { value: 'MERNO', help: 'the merchant; without it, operators' }
const whose: Option = { value: 'MERNO', help: 'the merchant, if several have invited the address' }
const why: Option = { value: 'TEXT', help: 'the reason, for the audit log' }

const create: Command = {
  name: 'user create',
  summary: 'Create a person and print the link to set password and second factor',
  options: { email, role: { value: 'R', required: true, help: 'such as admin or owner' }, merno },
  async run({ given, tools }) {
    const { baseUrl } = tools.config()
    const [address = '', role = ''] = [given.text('email'), given.text('role')]
    const merNo = givenMerNo(given, 'merno') ?? 0
    const wanted = { email: address, role, merNo, baseUrl, actor: commandActor(), now: tools.clock.now() }
    const { userId, link } = await createByCommand(await tools.database(), await tools.vault(), wanted)
    const text = [
      `${address} may sign in as ${role} after setting a password and a second factor here:`,
      `  ${link}`,
      'The link works once, for 24 hours. Send it over a secure channel.',
    ]
    return { json: { userId, email: address, role, merNo, link }, text: text.join('\n') }
  },
}

const disable: Command = {
  name: 'user disable',
  summary: 'Let a person no longer sign in, and end all sessions',
  options: { email, merno: whose, why },
  async run(call) {
    const address = call.given.text('email') ?? ''
    await disableByCommand(await call.tools.database(), whomOf(call), changeBy(call))
    return { json: { email: address, state: 'disabled' }, text: `${address} can no longer sign in.` }
  },
}

const resetFactor: Command = {
  name: 'user reset-factor',
  summary: 'Remove the second factors of a person who lost them, and end all sessions',
  options: { email, merno: whose, why },
  async run(call) {
    const address = call.given.text('email') ?? ''
    const { tools } = call
    await resetFactorByCommand(await tools.database(), await tools.vault(), whomOf(call), changeBy(call))
    const text = `${address} has no second factor now. Operators set up a new one at their next sign-in.`
    return { json: { email: address, hasFactor: false }, text }
  },
}

const list: Command = {
  name: 'user list',
  summary: 'List the operators, or the people of a merchant',
  options: { merno },
  async run({ given, tools }) {
    const users = await listByCommand(await tools.database(), givenMerNo(given, 'merno') ?? 0)
    const head = ['email', 'role', 'state', 'second factor', 'last sign-in']
    const rows = users.map(({ email: address, role, state, hasFactor, signedInAt }) => {
      return [address, role, state, hasFactor ? 'yes' : 'no', signedInAt ?? 'never']
    })
    return { json: users, text: users.length === 0 ? 'There is nobody.' : columns([head, ...rows]) }
  },
}

function whomOf({ given }: Call): Whom {
  return { email: given.text('email') ?? '', merNo: givenMerNo(given, 'merno') }
}

function changeBy({ given, tools }: Call) {
  const reason = given.text('why')
  return { actor: commandActor(), now: tools.clock.now(), ...(reason !== undefined && { reason }) }
}

/** The use cases of these commands write the audit log, so no command has `audit`. */
export const userCommands: readonly Command[] = [create, disable, resetFactor, list]
