/** Runs the contract of all adapters against the MM4 adapter, over real sockets. */
import { carrierContract } from '../carrier.contract.ts';
import { mm4UnderTest } from './mm4-fixture.ts';

carrierContract('MM4', mm4UnderTest, 'MMS');
