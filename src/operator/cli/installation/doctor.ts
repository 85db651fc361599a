import { connectDatabase } from '../../../platform/runtime/open-database.ts'
import { examine } from '../../doctor/examine.ts'
import type { Command } from '../command.ts'
import { columns } from '../shared/print.ts'

const doctor: Command = {
  name: 'doctor',
  summary: 'Check the installation, and say what to do about problems',
  options: {},
  async run({ tools }) {
    const { config, clock, say } = tools
    const findings = await examine({
      config,
      clock,
      openDatabase: (settings) => connectDatabase(settings, say),
    })
    const rows = findings.map(({ status, check, found, todo }) => {
      return [status, check, todo === undefined ? found : `${found} — ${todo}`]
    })
    const isWell = findings.every(({ status }) => status !== 'fail')
    return { json: { ok: isWell, findings }, text: columns(rows), status: isWell ? 0 : 1 }
  },
}

export const doctorCommands: readonly Command[] = [doctor]
