import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { type Demo, demoFile, readDemo } from '../../demo/demo-file.ts'
import type { Tools } from '../command.ts'

export async function demoMerchant(tools: Tools): Promise<Demo> {
  const { dataDir } = tools.config()
  const demo = await readDemo(dataDir)
  if (demo !== undefined) return demo
  throw new OperatorRefusal(
    `${demoFile(dataDir)} does not exist: run "npm start" in sandbox mode once, or set TOLLGATE_DATA_DIR to its data folder`,
  )
}
