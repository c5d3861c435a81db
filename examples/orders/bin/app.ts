import { App } from "aws-cdk-lib";
import { OrdersStack } from "../lib/orders-stack.js";

const app = new App();
new OrdersStack(app, "Orders");
app.synth();
